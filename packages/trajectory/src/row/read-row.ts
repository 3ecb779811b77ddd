import type { TurnKind } from '../turn-kind.ts';
import { openaiChatFormat } from './openai-chat.ts';
import { shareGptFormat } from './share-gpt.ts';
import type { RawTurn, TurnFormat } from './turn-format.ts';

/** The turns of a trajectory, and how they are written. */
export interface Turns {
  readonly format: TurnFormat;
  readonly turns: readonly RawTurn[];
  readonly kinds: readonly TurnKind[];
}

/** A row of a data set, read. `key` is the field that holds the turns. */
export type Row = Turns & { readonly key: string };

/** Why a row is no trajectory; says nothing of what the row holds. */
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
  if (!isObject(row)) return { reason: Array.isArray(row) ? 'a JSON array, no object' : 'no JSON object' };
  const key = keys.find((name) => Object.hasOwn(row, name));
  if (key === undefined) return { reason: `no turns: none of the fields ${keys.join(', ')}` };
  const turns = readTurns(row[key]);
  return 'reason' in turns ? { reason: `${key}: ${turns.reason}` } : { ...turns, key };
}

/** Checks a list of turns and says in which format they are. */
export function readTurns(turns: unknown): Turns | BadRow {
  if (!Array.isArray(turns)) return { reason: 'no list of turns' };
  if (turns.length === 0) return { reason: 'no turns' };
  const format = isObject(turns[0]) && !Object.hasOwn(turns[0], 'from') && 'role' in turns[0] ? openaiChatFormat : null;
  const chosen = format ?? shareGptFormat;
  const kinds: TurnKind[] = [];
  for (const [index, turn] of turns.entries()) {
    if (!isObject(turn)) return { reason: `turn ${index} is no object` };
    const read = chosen.read(turn);
    if ('fault' in read) return { reason: `turn ${index} ${read.fault}` };
    kinds.push(read.kind);
  }
  return { format: chosen, turns: turns as RawTurn[], kinds };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
