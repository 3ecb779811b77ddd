import { inOwnProcess } from '../own-process.ts';

const flags = ['--expose-gc', '--max-old-space-size=16000'];

/** Instructions for a measuring process. */
export interface MemoryOrder {
  readonly sessions: number;
  /** Hidden messages in each session. */
  readonly hidden: number;
}

/**
 * Memory of many sessions in one process, in bytes. Each has a history of its own, and had one request that compacted it,
 * and one search.
 */
export interface SessionMemory {
  readonly sessions: number;
  /** Messages in each history. */
  readonly messages: number;
  /** Text of each history. */
  readonly characters: number;
  /** Of one history, which the host has anyway. */
  readonly history: number;
  /** Of one session beyond its history, after its request. */
  readonly session: number;
  /** What the search of one session adds, on average over all sessions: their indexes are bounded together. */
  readonly search: number;
  /** What is left of one session when it has ended, as long as the host has its messages. */
  readonly left: number;
  readonly residentSet: number;
}

/** Memory of one index, in bytes. */
export interface IndexMemory {
  /** What is indexed. */
  readonly kind: string;
  /** Of the indexed text, which the host has anyway. */
  readonly text: number;
  readonly index: number;
}

/** Measures one order in its own process. */
export function measureSessionMemory(order: MemoryOrder): Promise<SessionMemory> {
  return inOwnProcess(new URL('session-memory-process.ts', import.meta.url), order, flags);
}

/** Measures the indexes of several kinds of text. */
export function measureIndexMemory(dataFolder: string | null): Promise<readonly IndexMemory[]> {
  return inOwnProcess(new URL('index-memory-process.ts', import.meta.url), dataFolder, flags);
}
