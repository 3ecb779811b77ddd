import type { Message } from '@palimpsest/core';
import type { Decoded } from '../codec.ts';

/** A session as an agent wrote it down, read back. `Native` is the conversation as its provider would be sent it. */
export interface SessionLog<Native> {
  readonly format: SessionLogFormat;
  /** The session's own id; `null` when no line says it. */
  readonly id: string | null;
  /** The folder the agent worked in; `null` when no line says it. */
  readonly folder: string | null;
  /** The versions of the agent that wrote the lines, in the order they appear. */
  readonly versions: readonly string[];
  /** What was said, in core's shape; the same as `decoded.messages`. */
  readonly messages: readonly Message[];
  /** The conversation as the codec of its provider read it: hand it to `codec.encode` with what an engine made of it. */
  readonly decoded: Decoded<Native>;
  /** How many lines were left out, by type or by reason, such as `{ progress: 12, sidechain: 4 }`. */
  readonly skipped: Readonly<Record<string, number>>;
}

export type SessionLogFormat = 'claudeCode' | 'codex';

export interface SessionLogOptions {
  /**
   * `whole`: all that was said, as if the agent had never compacted. `context`: what its model was sent last, which is
   * the agent's own summary and what came after it. What the user took back is in neither.
   * @default 'whole'
   */
  readonly history?: 'whole' | 'context' | undefined;
}

/** Reads a log line by line and keeps only what the conversation needs. */
export interface SessionLogReader<Native> {
  /**
   * Takes the next line, as text or as the JSON value it holds. Blank lines count, and are left out.
   * @throws {PalimpsestError} `MESSAGES_INVALID` for a line that cannot be read; `details`: `format`, `line` (from 1),
   * `index` (from 0), `field`
   */
  add(line: string | object): void;
  /**
   * Ends the reading; to be called once. A last line that is cut off, as of a session still being written, is left out and counted.
   * @throws {PalimpsestError} `MESSAGES_INVALID` when what was read makes no conversation
   */
  end(): SessionLog<Native>;
}

/** Reads a whole log at once. @param log its text, or its lines */
export function readAll<Native>(reader: SessionLogReader<Native>, log: string | Iterable<string>): SessionLog<Native> {
  for (const line of typeof log === 'string' ? log.split('\n') : log) reader.add(line);
  return reader.end();
}
