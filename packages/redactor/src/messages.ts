import { isSecretValue } from './assignment.ts';
import { maskSecret, newlinesOf } from './mask.ts';
import { meaningOf, NAME_WORDS, nameBounds } from './name.ts';
import { Source } from './source.ts';

/** Fields that say what a message is or carry signed or binary data: changing them breaks the request. */
const UNTOUCHED = new Set([
  'role',
  'type',
  'id',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'signature',
  'encrypted_content',
  'media_type',
  'mime_type',
]);

const BINARY = /^data:[\w/+.-]+;base64,/;

/** True when a field of this name and value is a secret though the value alone would not tell (`{ password: 'hunter2' }`). */
function isSecretField(field: string, value: string): boolean {
  for (const word of NAME_WORDS.keys()) {
    const at = field.toLowerCase().lastIndexOf(word);
    if (at < 0) continue;
    const bounds = nameBounds(new Source(field, false), at, word.length);
    const meaning = bounds && meaningOf(field, bounds, at, word.length);
    if (meaning && isSecretValue(value, meaning.strength, true, meaning.doubtful)) return true;
  }
  return false;
}

/**
 * Redacts every string inside a JSON-like value, whatever its shape; what holds no secret comes back as the
 * same object. Depth is limited only by the value itself.
 */
export function redactDeep<Value>(
  value: Value,
  redactText: (text: string) => string,
  byName: boolean,
  field = '',
): Value {
  if (typeof value === 'string') {
    if (UNTOUCHED.has(field) || BINARY.test(value)) return value;
    const redacted = redactText(value);
    if (redacted === value && byName && field !== '' && isSecretField(field, value)) {
      return `${maskSecret(value)}${newlinesOf(value)}` as Value;
    }
    return redacted as Value;
  }
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null;
    for (const [index, item] of value.entries()) {
      const redacted = redactDeep(item as unknown, redactText, byName, field);
      if (redacted === item) continue;
      copy ??= [...value];
      copy[index] = redacted;
    }
    return (copy ?? value) as Value;
  }
  if (value === null || typeof value !== 'object') return value;
  let copy: Record<string, unknown> | null = null;
  for (const [key, item] of Object.entries(value)) {
    const redacted = redactDeep(item as unknown, redactText, byName, key);
    if (redacted === item) continue;
    copy ??= { ...value } as Record<string, unknown>;
    copy[key] = redacted;
  }
  return (copy ?? value) as Value;
}
