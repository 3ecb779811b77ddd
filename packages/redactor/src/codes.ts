/** Characters read at a time: few enough to stay in the processor's nearest cache. */
export const STRETCH: number = 1 << 14;
/** Zeros behind what was read, so that looking ahead needs no care. */
export const AHEAD = 4;

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();

/** The codes of a stretch of text as bytes, which are read faster than characters: 128 for all beyond ASCII. */
export class Codes {
  readonly bytes: Uint8Array = new Uint8Array(STRETCH + AHEAD);
  /** The same, two by two. */
  readonly pairs: Uint16Array = new Uint16Array(this.bytes.buffer);

  /** Reads the stretch of `text` that begins at `from`. @returns its length */
  read(text: string, from: number): number {
    const { bytes } = this;
    const stretch = text.slice(from, from + STRETCH);
    const { length } = stretch;
    // As long as its characters is UTF-8 only for ASCII.
    const { read, written } = encoder.encodeInto(stretch, bytes);
    if (read !== length || written !== length)
      for (let index = 0; index < length; index += 1) bytes[index] = Math.min(stretch.charCodeAt(index), 128);
    bytes.fill(0, length, length + AHEAD);
    return length;
  }

  /** Forgets what was read: it may hold secrets. */
  clear(length: number): void {
    this.bytes.fill(0, 0, length);
  }
}

const LOW_BYTE_FIRST = /* @__PURE__ */ new Uint8Array(/* @__PURE__ */ Uint16Array.of(1).buffer)[0] === 1;

/** What two neighbours read as together: the order of bytes is the machine's. */
export function pairOf(first: number, second: number): number {
  return LOW_BYTE_FIRST ? first | (second << 8) : (first << 8) | second;
}

/** Where {@link isAscii} writes to; empty between its calls. */
const scratch: Uint8Array = /* @__PURE__ */ new Uint8Array(STRETCH);

/** True when nothing in a text lies beyond ASCII; far cheaper than a pattern that looks for it. */
export function isAscii(text: string): boolean {
  for (let from = 0; from < text.length; from += STRETCH) {
    const stretch = text.slice(from, from + STRETCH);
    const { read, written } = encoder.encodeInto(stretch, scratch);
    scratch.fill(0, 0, written);
    if (read !== stretch.length || written !== read) return false;
  }
  return true;
}
