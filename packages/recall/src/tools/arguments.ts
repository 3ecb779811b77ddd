import { isRecord, parseRecord } from '@palimpsest/core/authoring';

/** The arguments of a call, as a model wrote them. */
export type CallArguments = Readonly<Record<string, unknown>>;

/** Reads arguments: an object, or the JSON text of one. Returns `null` for anything else. */
export function readArguments(input: unknown): CallArguments | null {
  if (typeof input === 'string') return input.trim() === '' ? {} : parseRecord(input);
  return isRecord(input) ? input : null;
}

/** Reads a whole number, also from text, and limits it to the bounds. Returns the default for anything else. */
export function wholeNumber(value: unknown, min: number, max: number, usual: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? Math.min(max, Math.max(min, Math.trunc(number))) : usual;
}

/** Reads a text that is not blank; otherwise returns `null`. Joins a list of words. */
export function someText(value: unknown): string | null {
  const text = Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(' ') : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/** Reads a range of lines: `120-180`, `120-`, `120`, `[120, 180]`. Returns `null` for anything else. */
export function readLines(value: unknown): readonly [from: number, to: number] | null {
  const parts = (Array.isArray(value) ? value.slice(0, 2) : [value]).filter(isTextOrNumber);
  const text = parts.join('-');
  const found = /^[^\d\n]{0,20}(\d{1,9})\s*(?:(-|–|\.\.|:|,|to)\s*(\d{1,9})?)?\D{0,3}$/.exec(text.slice(0, 60));
  if (!found) return null;
  const from = Math.max(1, Number(found[1]));
  const to = found[3] !== undefined ? Number(found[3]) : found[2] === undefined ? from : Number.POSITIVE_INFINITY;
  return from <= to ? [from, to] : [Math.max(1, to), from];
}

/** True for values that are safe to convert to text. An object may have a `toString` that is not a function. */
function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
