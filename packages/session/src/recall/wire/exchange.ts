import type { WireFormat } from '@palimpsest/formats/wire';
import { type Fields, fieldsIn, isFields, type RecallFormat } from './recall-format.ts';

/** The calls, answers and replies of the model for which the SDK has only one reply. */
export interface Exchange {
  readonly format: WireFormat;
  /** Identifies the reply as the SDK sends it. */
  readonly key: string;
  /** Number of replies before it. */
  readonly place: number;
  readonly items: readonly Fields[];
  /** Answers that belong to what the host sends next. */
  readonly results: readonly Fields[];
}

/** Reads a stored exchange; `null` for anything else. Its content is not checked. */
export function readExchange(value: unknown): Exchange | null {
  if (!isFields(value)) return null;
  const { format, key, place, items, results } = value;
  const isWhole =
    typeof format === 'string' &&
    typeof key === 'string' &&
    typeof place === 'number' &&
    Array.isArray(items) &&
    items.every(isFields) &&
    Array.isArray(results) &&
    results.every(isFields);
  return isWhole ? (value as unknown as Exchange) : null;
}

/**
 * True for an exchange that adds only calls and their results to a reply. Whoever can write to the store could have
 * changed one: it must not change the reply itself, nor speak for the user or the system.
 */
export function isHarmless({ key, items, results }: Exchange, format: RecallFormat): boolean {
  const turns = format.turnsIn(items);
  const ofModel = turns.flatMap(([from, to]) => items.slice(from, to));
  const known = new Set(ofModel);
  const others = items.filter((item) => !known.has(item));
  return [...others, ...results].every(isResult) && wordsIn(format.keyOf(ofModel)) === wordsIn(key);
}

function isResult({ role, type, content }: Fields): boolean {
  if (role === 'user')
    return Array.isArray(content) && fieldsIn(content).every((block) => block.type === 'tool_result');
  return role === 'tool' || (role === undefined && type === 'function_call_output');
}

/** A key without the ids of calls. */
function wordsIn(key: string): string {
  return key.slice(0, key.lastIndexOf('|'));
}
