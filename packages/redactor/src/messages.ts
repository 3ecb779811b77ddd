/** Fields that say what a message is or carry signed or binary data: changing them breaks the request. */
const UNTOUCHED = /^(?:role|type|(?:\w+_)?id|signature|encrypted_content|(?:media|mime)_type)$/;

const BINARY = /^data:[\w/+.-]+;base64,/;

/** A field whose name may say secret, and how long a value is asked about it. */
const TELLING_FIELD = /pass|secret|token|key|cred|auth|pwd|jwt|cookie/i;
const LONGEST_ASKED = 512;

/** A value that is a secret only by its field's name (`{ password: 'hunter2' }`): read as the JSON it would be written as. */
function redactField(field: string, value: string, redactText: (text: string) => string): string {
  const written = JSON.stringify({ [field]: value });
  const redacted = redactText(written);
  return redacted === written ? value : (JSON.parse(redacted) as Record<string, string>)[field]!;
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
    if (UNTOUCHED.test(field) || BINARY.test(value)) return value;
    const redacted = redactText(value);
    if (redacted === value && byName && value.length <= LONGEST_ASKED && TELLING_FIELD.test(field)) {
      return redactField(field, value, redactText) as Value;
    }
    return redacted as Value;
  }
  if (value === null || typeof value !== 'object') return value;
  const isList = Array.isArray(value);
  let copy: Record<string, unknown> | null = null;
  for (const [key, item] of Object.entries(value)) {
    const redacted = redactDeep(item as unknown, redactText, byName, isList ? field : key);
    if (redacted === item) continue;
    copy ??= (isList ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = redacted;
  }
  return (copy ?? value) as Value;
}
