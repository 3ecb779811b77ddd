import { BITS, byteOf, CLASSES } from './classes.ts';
import { type Keyword, markClasses, standsAt, triggerOf } from './keyword.ts';

/** Told of every keyword found, and where it stands. */
export type Hit<Found extends Keyword> = (keyword: Found, at: number) => void;

/** Characters looked at together: few enough bytes to stay in the processor's nearest caches. */
const STEP = 1 << 14;
/** Characters of a chunk that the next one begins with: what announces a keyword is no longer. */
const OVERLAP = 4;
/** Bytes in front of a chunk, always zero: what stands before a text. */
const LEAD = 4;
/** Of a number made of classes, the bits of the last two. */
const PAIR = 0x3ff;

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
/** What is being searched: bytes are read faster than characters, of whatever kind the string is. Zero behind its end. */
const bytes: Uint8Array = /* @__PURE__ */ new Uint8Array(4 * STEP);
const chunkBytes: Uint8Array = /* @__PURE__ */ bytes.subarray(LEAD);
const view: DataView = /* @__PURE__ */ new DataView(bytes.buffer);

/**
 * Prepares one pass that reports where any of the keywords stands, and whether the text is all ASCII: every text costs one
 * table look-up for two characters, however many keywords there are. Keywords need at least two characters.
 */
export function createScanner<Found extends Keyword>(
  keywords: readonly Found[],
): (text: string, hit: Hit<Found>) => boolean {
  /** A bit for four classes: a trigger may be the third or the fourth. */
  const mayHold = new Int32Array(1 << (4 * BITS - 5));
  /** By the classes of two bytes: the numbers of the keywords whose trigger may be the second. */
  const lists = Array.from({ length: PAIR + 1 }, (): number[] => []);
  const entries = keywords.map((keyword, number) => {
    const { literal, caseSensitive } = keyword;
    markClasses(keyword, (four) => (mayHold[four >> 5]! |= 1 << four));
    const trigger = triggerOf(literal);
    lists[(CLASSES[byteOf(literal, trigger - 1)]! << BITS) | CLASSES[byteOf(literal, trigger)]!]!.push(number);
    // In the four bytes up to the one behind the trigger: bits that do not count, and what all are with these set.
    let [open, wanted] = [0, 0];
    for (let place = 0; place < 4; place += 1) {
      const byte = byteOf(literal, trigger - 2 + place);
      const bits = byte ? (caseSensitive ? 0 : 32) : 255;
      open |= bits << (8 * place);
      wanted |= (byte | bits) << (8 * place);
    }
    // Of letters these tell everything.
    return { keyword, trigger, open, wanted, known: /[^a-z]/i.test(literal) ? 0 : 4 };
  });
  /** The same bytes, two at a time. */
  const pairs = new Uint16Array(bytes.buffer);
  /** By two bytes read as one number: their classes. */
  const classesOf = new Uint16Array(1 << 16);
  // Written as bytes and read as a pair, whatever the order of bytes is here.
  for (let pair = 65536; pair--; ) {
    bytes[0] = pair >> 8;
    bytes[1] = pair;
    classesOf[pairs[0]!] = (CLASSES[bytes[0]!]! << BITS) | CLASSES[bytes[1]!]!;
  }

  /** Adds to `found` which keywords have the byte at `at` for their trigger: a keyword's number, and in the lower 16 bits where it begins. */
  const verify = (at: number, classes: number, found: number[]): void => {
    const list = lists[classes & PAIR]!;
    const four = view.getInt32(at - 2, true);
    for (let index = 0; index < list.length; index += 1) {
      const { keyword, trigger, open, wanted } = entries[list[index]!]!;
      if ((four | open) === wanted && (!keyword.after || keyword.after(bytes[at - trigger - 1]!)))
        found.push((list[index]! << 16) | (at - trigger));
    }
  };

  const search = (end: number): number[] => {
    const found: number[] = [];
    let four = 0;
    for (let pair = LEAD / 2; 2 * pair < end; pair += 1) {
      four = ((four << 10) | classesOf[pairs[pair]!]!) & 0xfffff;
      if ((mayHold[four >> 5]! >> four) & 1) {
        verify(2 * pair, four >> BITS, found);
        verify(2 * pair + 1, four, found);
      }
    }
    return found;
  };

  return (text, hit) => {
    let isAscii = true;
    for (let from = 0; from < text.length; from += STEP) {
      const chunk = text.slice(from, from + STEP + OVERLAP);
      const { length } = chunk;
      const { written } = encoder.encodeInto(chunk, chunkBytes);
      if (written > length) {
        isAscii = false;
        // Behind its last character stands no number, which is written as zero.
        for (let at = 0; at < written; at += 1) chunkBytes[at] = byteOf(chunk, at);
      }
      const found = search(LEAD + length);
      // They may have held secrets.
      chunkBytes.fill(0, 0, length);
      for (let index = 0; index < found.length; index += 1) {
        const { keyword, known } = entries[found[index]! >>> 16]!;
        const at = (found[index]! & 0xffff) - LEAD;
        // Of what begins a chunk, the chunk before has told: there it is known what stands before.
        if (at <= STEP && (at || !from) && standsAt(text, from + at, keyword, known)) hit(keyword, from + at);
      }
    }
    return isAscii;
  };
}
