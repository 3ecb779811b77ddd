import type { OfferedSnapshot } from '../conversation/offered-tools.ts';
import { roundId, type StoredRound } from '../conversation/remembered-round.ts';
import type { StrippedSnapshot } from '../provider/stripped-content.ts';
import type { SessionSnapshot } from './session-snapshot.ts';

/** The compactions of a state: two states with the same key send the same requests, apart from what was learned. */
export function compactionsKey({ checkpoints, forgotten, held }: SessionSnapshot): string {
  return JSON.stringify([forgotten, held, checkpoints.map(({ number, plan }) => [number, plan.checksum])]);
}

/** What has to be stored at once: compactions, and what was learned that changes later requests. */
export function importantKey(snapshot: SessionSnapshot): string {
  const { hygiene, limits, offered, outputCaps, refused, rounds, settled, stripped } = snapshot;
  const sums = (rounds as readonly StoredRound[] | undefined)?.map(({ sealed }) => sealed.checksum);
  return JSON.stringify([
    compactionsKey(snapshot),
    [hygiene.failures, limits, offered, outputCaps, refused, sums, settled, stripped],
  ]);
}

/** The state `main`, with what `other` learned besides. */
export function mergeSnapshots(main: SessionSnapshot, other: SessionSnapshot): SessionSnapshot {
  const isSame = main.forgotten === other.forgotten;
  const activity = [main.lastActivity, other.lastActivity].filter((at) => at !== null);
  return {
    ...main,
    next: Math.max(main.next, other.next),
    limits: minima(main.limits, other.limits),
    refused: minima(main.refused, other.refused),
    outputCaps: minima(main.outputCaps, other.outputCaps),
    settled: [...new Set([...main.settled, ...other.settled])],
    lastActivity: activity.length === 0 ? null : Math.max(...activity),
    ...(isSame
      ? {
          rounds: mergeRounds(main.rounds, other.rounds),
          offered: mergeOffered(main.offered, other.offered),
          stripped: mergeStripped(main.stripped, other.stripped),
        }
      : {}),
  };
}

function minima(
  main: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const all = { ...other, ...main };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, Math.min(value, other[name] ?? value)]));
}

function mergeRounds(main: SessionSnapshot['rounds'], other: SessionSnapshot['rounds']): SessionSnapshot['rounds'] {
  const list = [...((other ?? []) as StoredRound[]), ...((main ?? []) as StoredRound[])];
  return list.length === 0 ? undefined : [...new Map(list.map((round) => [roundId(round), round])).values()];
}

function mergeOffered(main: OfferedSnapshot, other: OfferedSnapshot): OfferedSnapshot {
  return {
    hasHostTools: main.hasHostTools || other.hasHostTools,
    refusedBy: [...new Set([...main.refusedBy, ...other.refusedBy])],
  };
}

function mergeStripped(
  main: StrippedSnapshot | undefined,
  other: StrippedSnapshot | undefined,
): StrippedSnapshot | undefined {
  if (!main || !other) return main ?? other;
  const plain = { ...other.plain, ...main.plain };
  for (const [model, what] of Object.entries(other.plain)) if (what === 'all') plain[model] = what;
  return { reasoningBefore: Math.max(main.reasoningBefore, other.reasoningBefore), plain };
}

/** The stored state that the one in memory was made from. */
export interface StoredBase {
  /** `null` for nothing stored. */
  readonly version: string | null;
  readonly revision: number;
  readonly life: string | undefined;
  /** The compactions, as a text to compare. */
  readonly compactions: string;
  /** The part of the state that changes later requests, as a text to compare. */
  readonly important: string;
}

/** @param version the version under which the snapshot is stored */
export function baseOf(snapshot: SessionSnapshot, version: string | null): StoredBase {
  const { revision = 0, life } = snapshot;
  return { version, revision, life, compactions: compactionsKey(snapshot), important: importantKey(snapshot) };
}

/** True if a state that was stored was deleted since, or has expired, also if another process has stored a new one. */
export function wasDeleted(base: StoredBase, version: string | null, theirs: SessionSnapshot | null): boolean {
  return base.version !== null && (version === null || (theirs !== null && theirs.life !== base.life));
}
