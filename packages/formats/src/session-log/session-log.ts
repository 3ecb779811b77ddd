import type { Message } from '@palimpsest/core';
import type { Decoded } from '../codec.ts';

/** A session read from the log of an agent. `Native` is the conversation in the format of its provider. */
export interface SessionLog<Native> {
  readonly format: SessionLogFormat;
  /** Id of the session; `null` if the log does not contain it. */
  readonly id: string | null;
  /** Working directory of the agent; `null` if the log does not contain it. */
  readonly folder: string | null;
  /** Versions of the agent, in order of appearance. */
  readonly versions: readonly string[];
  /** The conversation as core messages; the same as `decoded.messages`. */
  readonly messages: readonly Message[];
  /** The decoded conversation, to be passed to `codec.encode` with the output of an engine. */
  readonly decoded: Decoded<Native>;
  /** How often the agent compacted the conversation itself. */
  readonly compactions: number;
  /** Number of lines left out, by type or by reason, such as `{ progress: 12, sidechain: 4 }`. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Name of a session log format. */
export type SessionLogFormat = 'claudeCode' | 'codex';

/** Reads a log line by line and keeps only the conversation in memory. */
export interface SessionLogReader<Native> {
  /**
   * Reads the next line, as text or as parsed JSON. Blank lines are ignored, but count for line numbers.
   * @throws {PalimpsestError} `MESSAGES_INVALID` for a line that cannot be read; `details`: `format`, `line` (from 1),
   * `index` (from 0), `field`
   */
  add(line: string | object): void;
  /**
   * Ends the log and returns the session. Call it once. A truncated last line, as in a session that is still being written,
   * is skipped and counted.
   * @throws {PalimpsestError} `MESSAGES_INVALID` if the lines do not form a conversation
   */
  end(): SessionLog<Native>;
}

/** Reads a whole log. @param log its text, or its lines */
export function readAll<Native>(reader: SessionLogReader<Native>, log: string | Iterable<string>): SessionLog<Native> {
  for (const line of typeof log === 'string' ? log.split('\n') : log) reader.add(line);
  return reader.end();
}
