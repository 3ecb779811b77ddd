/** Characters encoded at a time: few enough to stay in the processor's nearest cache. */
export const CHUNK: number = 1 << 14;
export const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
/** What is being encoded: bytes are read faster than characters, of whatever kind the string is. Emptied by whoever filled it. */
export const bytes: Uint8Array = /* @__PURE__ */ new Uint8Array(3 * CHUNK);

/** Encoding a text tells sooner than looking for other characters; a longer one than there is room for counts as none. */
export function isAscii(text: string): boolean {
  const { read, written } = encoder.encodeInto(text, bytes);
  bytes.fill(0, 0, written);
  return read === text.length && written === read;
}
