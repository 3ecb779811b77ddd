/** A 32-bit checksum of a text as eight hexadecimal digits. Detects edits, but not forgeries. */
export function checksum(text: string): string {
  return digest(hash(text), text.length);
}

/** FNV-1a over the UTF-16 code units of `text[from, to)`, continuing from `state`. */
export function hash(text: string, from = 0, to: number = text.length, state = 0x811c9dc5): number {
  // V8 optimizes a call site for only a few kinds of strings. With more kinds, it looks up the method for every
  // character.
  const codeAt: (text: string, at: number) => number = Function.prototype.call.bind(String.prototype.charCodeAt);
  let result = state;
  for (let index = from; index < to; index++) result = Math.imul(result ^ codeAt(text, index), 0x01000193);
  return result;
}

/** The checksum of a running {@link hash} over `length` code units. */
export function digest(state: number, length: number): string {
  const mixed = Math.imul(state ^ length, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 15)) >>> 0).toString(16).padStart(8, '0');
}
