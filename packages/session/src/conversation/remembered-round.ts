import { isRecord } from '@palimpsest/core/authoring';
import type { Body, Wire } from '@palimpsest/formats/wire';

/** The calls, answers and replies of the model for which the SDK has only one reply. */
export interface RememberedRound {
  /** The name of the wire. */
  readonly format: string;
  /** Identifies the reply as the SDK sends it. */
  readonly key: string;
  /** Number of replies before it. */
  readonly place: number;
  readonly items: readonly Body[];
  /** Answers that belong to what the host sends next. */
  readonly results: readonly Body[];
}

/** Reads a stored round; `null` for anything else. Its content is not checked. */
export function readRememberedRound(value: unknown): RememberedRound | null {
  if (!isRecord(value)) return null;
  const { format, key, place, items, results } = value;
  const isWhole =
    typeof format === 'string' &&
    typeof key === 'string' &&
    typeof place === 'number' &&
    Array.isArray(items) &&
    items.every(isRecord) &&
    Array.isArray(results) &&
    results.every(isRecord);
  return isWhole ? (value as unknown as RememberedRound) : null;
}

/**
 * True for a round that adds only calls and their results to a reply. Anyone who can write to the store could have
 * changed one: it must not change the reply itself, nor speak for the user or the system.
 */
export function isHarmless({ key, items, results }: RememberedRound, { answers }: Wire): boolean {
  const answered = answers.answersIn(items);
  const ofModel = answered.flatMap(([from, to]) => items.slice(from, to));
  const known = new Set(ofModel);
  const others = items.filter((item) => !known.has(item));
  return [...others, ...results].every(answers.isResult) && wordsIn(answers.keyOf(ofModel)) === wordsIn(key);
}

/** A key without the ids of calls. */
function wordsIn(key: string): string {
  return key.slice(0, key.lastIndexOf('|'));
}
