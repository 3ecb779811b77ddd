import { isRecord } from '@palimpsest/core/authoring';
import type { Body, Wire } from '@palimpsest/formats/wire';
import {
  addTexts,
  baseText,
  isSealedText,
  minSecretCopy,
  type SealedText,
  sealText,
  unsealText,
} from './sealed-text.ts';

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

/** A round in its stored form: what its results quote is read again from the history that the client sends. */
export interface StoredRound extends Pick<RememberedRound, 'format' | 'key' | 'place'> {
  /** Its items and results. */
  readonly sealed: SealedText;
}

/** What identifies a round. */
export function roundId({ place, format, key }: Pick<RememberedRound, 'format' | 'key' | 'place'>): string {
  return `${place} ${format} ${key}`;
}

/**
 * @param before the client's messages before the reply
 * @param redact masks secrets
 * @returns `null` for a round with a secret that is not in the client's messages
 */
export function sealRound(
  { items, results, ...rest }: RememberedRound,
  before: readonly Body[],
  redact: (text: string) => string,
): StoredRound | null {
  const sealed = sealText(JSON.stringify({ items, results }), textOf(before), redact);
  return sealed && { ...rest, sealed };
}

/**
 * Restores a stored round; `null` for one that belongs to other messages or is damaged. Its content is not checked.
 * @param base the text of the client's messages, from `textOf`. It may have more of them than those before the reply
 */
export function unsealRound({ sealed, ...rest }: StoredRound, base: string): RememberedRound | null {
  const json = unsealText(sealed, base);
  try {
    const { items, results } = JSON.parse(json ?? '{}') as Partial<RememberedRound>;
    const isWhole = Array.isArray(items) && items.every(isRecord) && Array.isArray(results) && results.every(isRecord);
    return isWhole ? { ...rest, items, results } : null;
  } catch {
    return null;
  }
}

/** True for a stored round, without what it contains. */
export function isStoredRound(value: unknown): value is StoredRound {
  if (!isRecord(value)) return false;
  const { format, key, place, sealed } = value;
  return typeof format === 'string' && typeof key === 'string' && typeof place === 'number' && isSealedText(sealed);
}

/**
 * All texts of messages but the shortest: clients move the marks of the prompt cache from message to message. The text of the
 * first messages is the beginning of the text of all.
 */
export function textOf(messages: readonly Body[]): string {
  const texts: string[] = [];
  addTexts(messages, texts, minSecretCopy);
  return baseText(texts);
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
