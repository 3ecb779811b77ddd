import { isRecord } from '@palimpsest/core/authoring';
import { openaiChatFormat, type RawTurn, shareGptFormat, type TurnFormat } from './turn-format.ts';
import type { TurnKind } from './turn-kind.ts';

/** The turns of a trajectory and their format. */
export interface Turns {
  readonly format: TurnFormat;
  readonly turns: readonly RawTurn[];
  readonly kinds: readonly TurnKind[];
}

/** A parsed row of a data set. `key` is the field with the turns. */
export type Row = Turns & { readonly key: string };

/** Why a row is not a trajectory. Contains no conversation text. */
export interface BadRow {
  readonly reason: string;
}

const keys: readonly string[] = ['conversations', 'messages', 'conversation', 'trajectory'];

/** Reads one line of JSONL. */
export function readRow(text: string): Row | BadRow {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return { reason: 'not JSON' };
  }
  if (!isRecord(row)) return { reason: Array.isArray(row) ? 'a JSON array instead of an object' : 'not a JSON object' };
  const key = keys.find((name) => Object.hasOwn(row, name));
  if (key === undefined) return { reason: `no turns: none of the fields ${keys.join(', ')}` };
  const turns = readTurns(row[key]);
  return 'reason' in turns ? { reason: `${key}: ${turns.reason}` } : { ...turns, key };
}

/** Checks a list of turns and detects their format. */
export function readTurns(turns: unknown): Turns | BadRow {
  if (!Array.isArray(turns)) return { reason: 'not a list of turns' };
  if (turns.length === 0) return { reason: 'no turns' };
  const [first] = turns as unknown[];
  const isChat = isRecord(first) && !Object.hasOwn(first, 'from') && 'role' in first;
  const format = isChat ? openaiChatFormat : shareGptFormat;
  const kinds: TurnKind[] = [];
  for (const [index, turn] of turns.entries()) {
    if (!isRecord(turn)) return { reason: `turn ${index} is not an object` };
    const read = format.read(turn);
    if ('fault' in read) return { reason: `turn ${index} ${read.fault}` };
    kinds.push(read.kind);
  }
  return { format, turns: turns as RawTurn[], kinds };
}
