import { jsonText } from './json-text.ts';
import { isJson } from './json-value.ts';

/** A field whose name may say that its value is a secret, and how long a value is asked about it. Characters. */
const tellingField: RegExp = /pass|pw|secret|token|key|cred|auth|jwt|cookie|psk|private/i;
const longestAsked = 512;

/** A holder that is being walked, and its copy once something in it has changed. */
interface Open {
  readonly source: object;
  readonly keys: readonly string[];
  /** The masked keys, where they differ. */
  readonly names: readonly string[] | null;
  next: number;
  copy: unknown[] | Record<string, unknown> | null;
}

/**
 * The value with the secrets masked in every string of it, keys included: a value under a telling key (`password`) is
 * judged together with it. What holds no secret is the same object as before. Linear in the value, and not recursive.
 * @param value JSON; what is not JSON in it stays as it is, and so does an object that contains itself
 * @param redact masks one text
 */
export function maskedJson<Value>(value: Value, redact: (text: string) => string): Value {
  /** Objects that were walked, each with what came of it. */
  const known = new Map<object, unknown>();
  const open: Open[] = [];
  const enter = (source: object): void => {
    known.set(source, source);
    const keys = Object.keys(source);
    open.push({ source, keys, names: Array.isArray(source) ? null : maskedKeys(keys, redact), next: 0, copy: null });
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
    const masked = typeof item === 'string' ? maskedText(key, item, redact) : (known.get(item as object) ?? item);
    const name = top.names?.[top.next] ?? key;
    if (masked !== item || top.names) {
      top.copy ??= Array.isArray(top.source) ? [...top.source] : begun(top.source, top.keys, top.next);
      define(top.copy, name, masked);
    } else if (top.copy && !Array.isArray(top.source)) define(top.copy, name, item);
    top.next++;
  }
  return known.get(value) as Value;
}

/**
 * A text that may be JSON with its secrets masked: also those that stand there escaped, and so that JSON stays JSON.
 * @param redact masks one text
 */
export function maskedJsonText(text: string, redact: (text: string) => string): string {
  if (!/^\s*[[{"]/.test(text)) return redact(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return redact(text);
  }
  const masked = maskedJson(value, redact);
  const written = masked === value ? text : jsonText(masked)!;
  const whole = redact(written);
  return isJson(whole) ? whole : written;
}

/** A copy of the first fields of an object. */
function begun(source: object, keys: readonly string[], count: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (let at = 0; at < count; at++) define(copy, keys[at]!, (source as Readonly<Record<string, unknown>>)[keys[at]!]);
  return copy;
}

/** Plain assignment to `__proto__` would set the prototype instead. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** The keys with their secrets masked, each still different from the others; `null` when none holds one. */
function maskedKeys(keys: readonly string[], redact: (text: string) => string): string[] | null {
  const masked = keys.map((key) => (key === '' ? key : redact(key)));
  if (masked.every((key, at) => key === keys[at])) return null;
  const used = new Map<string, number>();
  return masked.map((key) => {
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    return times === 1 ? key : `${key} (${times})`;
  });
}

/** A text as it is, or, under a telling key, as the JSON it would be written as. */
function maskedText(key: string, text: string, redact: (text: string) => string): string {
  const masked = redact(text);
  if (masked !== text || text.length > longestAsked || !tellingField.test(key)) return masked;
  const written = JSON.stringify({ [key]: text });
  const told = redact(written);
  if (told === written) return text;
  try {
    const [value] = Object.values(JSON.parse(told) as Record<string, unknown>);
    return typeof value === 'string' ? value : told;
  } catch {
    // The rule that masked it took the quotes along.
    return told;
  }
}
