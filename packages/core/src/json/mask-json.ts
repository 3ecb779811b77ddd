import { jsonText } from './json-text.ts';
import { isJson } from './json-value.ts';

/** Field names that suggest a secret. Values over {@link maxAskedLength} characters are checked without the name. */
const tellingField: RegExp = /pass|pw|secret|token|key|cred|auth|jwt|cookie|psk|private/i;
const maxAskedLength = 512;

/** An object or array being traversed. `copy` is created on the first change. */
interface Open {
  readonly source: object;
  readonly keys: readonly string[];
  /** The masked keys; `null` when masking changed none. */
  readonly names: readonly string[] | null;
  next: number;
  copy: unknown[] | Record<string, unknown> | null;
}

/**
 * Masks secrets in every string of a JSON value, including keys. A value under a suspicious key such as `password` is
 * checked together with the key. Parts without secrets stay the same objects. Linear time, not recursive.
 * @param value JSON; non-JSON values and circular references in it stay unchanged
 * @param redact masks one text
 */
export function maskJson<Value>(value: Value, redact: (text: string) => string): Value {
  /** Visited objects, each with its masked version. */
  const known = new Map<object, unknown>();
  const open: Open[] = [];
  const enter = (source: object): void => {
    known.set(source, source);
    const keys = Object.keys(source);
    open.push({ source, keys, names: Array.isArray(source) ? null : maskKeys(keys, redact), next: 0, copy: null });
  };
  if (typeof value === 'string') return redact(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  enter(value);
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const key = top.keys[top.next];
    if (key === undefined) {
      known.set(top.source, (top.copy ?? top.source) as unknown);
      open.pop();
      continue;
    }
    const item = (top.source as Readonly<Record<string, unknown>>)[key];
    if (typeof item === 'object' && item !== null && !known.has(item)) {
      enter(item);
      continue;
    }
    const masked = typeof item === 'string' ? maskText(key, item, redact) : (known.get(item as object) ?? item);
    const name = top.names?.[top.next] ?? key;
    if (masked !== item || top.names) {
      top.copy ??= Array.isArray(top.source) ? [...top.source] : copyFirst(top.source, top.keys, top.next);
      define(top.copy, name, masked);
    } else if (top.copy && !Array.isArray(top.source)) define(top.copy, name, item);
    top.next++;
  }
  return known.get(value) as Value;
}

/**
 * Masks secrets in a text that may be JSON. Finds escaped secrets too, and keeps JSON parseable.
 * @param redact masks one text
 */
export function maskJsonText(text: string, redact: (text: string) => string): string {
  if (!/^\s*[[{"]/.test(text)) return redact(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return redact(text);
  }
  const masked = maskJson(value, redact);
  const written = masked === value ? text : jsonText(masked)!;
  const whole = redact(written);
  return isJson(whole) ? whole : written;
}

/** Copies the first fields of an object. */
function copyFirst(source: object, keys: readonly string[], count: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (let at = 0; at < count; at++) define(copy, keys[at]!, (source as Readonly<Record<string, unknown>>)[keys[at]!]);
  return copy;
}

/** Sets a field. Plain assignment to `__proto__` would set the prototype instead. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Masks secrets in keys and keeps the keys distinct; `null` when no key contains a secret. */
function maskKeys(keys: readonly string[], redact: (text: string) => string): string[] | null {
  const masked = keys.map((key) => (key === '' ? key : redact(key)));
  if (masked.every((key, at) => key === keys[at])) return null;
  const used = new Map<string, number>();
  return masked.map((key) => {
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    return times === 1 ? key : `${key} (${times})`;
  });
}

/** Masks a text by itself and, under a suspicious key, also in its JSON form (`{"key":"text"}`). */
function maskText(key: string, text: string, redact: (text: string) => string): string {
  const masked = redact(text);
  if (masked !== text || text.length > maxAskedLength || !tellingField.test(key)) return masked;
  const written = JSON.stringify({ [key]: text });
  const maskedJson = redact(written);
  if (maskedJson === written) return text;
  try {
    const [value] = Object.values(JSON.parse(maskedJson) as Record<string, unknown>);
    return typeof value === 'string' ? value : maskedJson;
  } catch {
    // The redactor's rule removed the quotes too, so the result is no longer JSON.
    return maskedJson;
  }
}
