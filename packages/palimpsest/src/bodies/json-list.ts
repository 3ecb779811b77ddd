/** Position of a list in the bytes of a JSON object. */
export interface JsonListPlace {
  /** Index after its opening bracket. */
  readonly from: number;
  /** Index of its closing bracket. */
  readonly to: number;
  /** Index after each item. */
  readonly ends: readonly number[];
}

/**
 * Finds the items of a list of objects in the bytes of a JSON object. Only divides the bytes: the parser that reads the
 * pieces decides whether they are valid.
 * @param from index after the opening bracket of the list
 * @param ends the ends of the items that are already known
 * @returns `null` if the end of an item or of the list cannot be found
 */
export function findItems(bytes: Buffer, from: number, ends: readonly number[] = []): JsonListPlace | null {
  const found = [...ends];
  let at = afterSpace(bytes, found.at(-1) ?? from);
  for (;;) {
    if (bytes[at] === code.closeList) return { from, to: at, ends: found };
    if (found.length > 0) {
      if (bytes[at] !== code.comma) return null;
      at = afterSpace(bytes, at + 1);
    }
    // Only objects: the end of a number is not known before the byte after it.
    if (bytes[at] !== code.openObject) return null;
    const end = afterValue(bytes, at);
    if (end < 0) return null;
    found.push(end);
    at = afterSpace(bytes, end);
  }
}

/** Returns the index after the opening bracket of a list in a field of a JSON object, or -1 if the object has no such list. */
export function findList(bytes: Buffer, name: string): number {
  const wanted = Buffer.from(JSON.stringify(name));
  let at = afterSpace(bytes, 0);
  if (bytes[at] !== code.openObject) return -1;
  for (;;) {
    const key = afterSpace(bytes, at + 1);
    if (bytes[key] !== code.quote) return -1;
    const keyEnd = afterString(bytes, key);
    const colon = keyEnd < 0 ? -1 : afterSpace(bytes, keyEnd);
    if (colon < 0 || bytes[colon] !== code.colon) return -1;
    const value = afterSpace(bytes, colon + 1);
    if (wanted.equals(bytes.subarray(key, keyEnd))) return bytes[value] === code.openList ? value + 1 : -1;
    const end = afterValue(bytes, value);
    at = end < 0 ? -1 : afterSpace(bytes, end);
    if (at < 0 || bytes[at] !== code.comma) return -1;
  }
}

const code = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** Index after the value that begins at an index; -1 when it does not end. */
function afterValue(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === code.quote) {
      at = afterString(bytes, at) - 1;
      if (at < 0) return -1;
      if (depth === 0) return at + 1;
    } else if (byte === code.openList || byte === code.openObject) depth++;
    else if (byte === code.closeList || byte === code.closeObject) {
      if (--depth <= 0) return depth < 0 ? at : at + 1;
    } else if (depth === 0 && byte === code.comma) return at;
  }
  return -1;
}

/** Index after the string that begins at an index; -1 when it does not end. */
function afterString(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === code.quote) return at + 1;
    if (byte === code.backslash) at++;
  }
  return -1;
}
