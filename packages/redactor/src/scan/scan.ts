import { isLetter } from './characters.ts';
import { byteOf, classBits, classMembers, classOfByte } from './scan-classes.ts';

/** Called with each keyword found and its index. */
export type Hit<Found extends Keyword> = (keyword: Found, at: number) => void;

/** Characters per chunk: few enough to stay in the fastest caches of the processor. */
const step = 1 << 14;
/** Characters by which chunks overlap: as many as are compared of a keyword in the bytes of its chunk. */
const overlap = 8;
/** Zero bytes before a chunk. They stand for the characters before the start of the text. */
const leadBytes = 4;
/** Mask for the classes of the last two bytes of four. */
const pairMask = 0x3ff;
/** How many numbers {@link fieldsOf} returns. */
const fieldCount = 6;

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
/** The chunk being searched, followed by zeros. Bytes are read faster than characters, however the string is stored. */
const bytes: Uint8Array = /* @__PURE__ */ new Uint8Array(4 * step);
const chunkBytes: Uint8Array = /* @__PURE__ */ bytes.subarray(leadBytes);
const view: DataView = /* @__PURE__ */ new DataView(bytes.buffer);

/**
 * Creates a function that finds all keywords in a text in one pass. It returns true if the text is ASCII. The pass takes one
 * table look-up per two characters, however many keywords there are. Keywords need at least two characters.
 */
export function createScanner<Found extends Keyword>(
  keywords: readonly Found[],
): (text: string, hit: Hit<Found>) => boolean {
  /** One bit per combination of four classes: whether the third or fourth may be the trigger of a keyword. */
  const mayHold = new Int32Array(1 << (4 * classBits - 5));
  /** Indices of keywords, by the classes of the trigger and the byte before it. */
  const lists = Array.from({ length: pairMask + 1 }, (): number[] => []);
  const entries = keywords.map((keyword, number) => {
    const { literal, caseSensitive } = keyword;
    markClasses(keyword, (four) => (mayHold[four >> 5]! |= 1 << four));
    const trigger = triggerOf(literal);
    lists[(classOfByte[byteOf(literal, trigger - 1)]! << classBits) | classOfByte[byteOf(literal, trigger)]!]!.push(
      number,
    );
    // These bits decide fully about case-sensitive ASCII, and about letters alone.
    const known = (caseSensitive ? /[^\0-\x7f]/ : /[^a-z]/i).test(literal) ? 0 : trigger + 6;
    return { keyword, trigger, known };
  });
  /** The lists one after another, and where each begins. Flat tables are read faster than arrays of objects. */
  const listed = Uint16Array.from(lists.flat());
  const listFrom = new Uint16Array(pairMask + 2);
  lists.forEach(({ length }, at) => (listFrom[at + 1] = listFrom[at]! + length));
  /** What to compare of each keyword: {@link fieldCount} numbers, from {@link fieldsOf}. */
  const fields = Int32Array.from(entries.flatMap(({ keyword, trigger }) => fieldsOf(keyword, trigger)));
  /** The same buffer, read two bytes at a time. */
  const pairs = new Uint16Array(bytes.buffer);
  /** Classes of two bytes, by their value as one 16-bit number. */
  const classesOf = new Uint16Array(1 << 16);
  // Written as bytes and read as a pair, so that it works with either byte order.
  for (let pair = 65536; pair--; ) {
    bytes[0] = pair >> 8;
    bytes[1] = pair;
    classesOf[pairs[0]!] = (classOfByte[bytes[0]!]! << classBits) | classOfByte[bytes[1]!]!;
  }

  /** Adds the keywords whose trigger is at `at` to `found`: the keyword's index, and its start in the lower 16 bits. */
  const verify = (at: number, classes: number, found: number[]): void => {
    const to = listFrom[(classes & pairMask) + 1]!;
    const four = view.getInt32(at - 2, true);
    const next = view.getInt32(at + 2, true);
    for (let index = listFrom[classes & pairMask]!; index < to; index += 1) {
      const field = fieldCount * listed[index]!;
      if (
        (four | fields[field + 1]!) === fields[field + 2]! &&
        (next | fields[field + 3]!) === fields[field + 4]! &&
        (fields[field + 5]! >> classOfByte[bytes[at - fields[field]! - 1]!]!) & 1
      )
        found.push((listed[index]! << 16) | (at - fields[field]!));
    }
  };

  const search = (end: number): number[] => {
    const [units, classesOfPair, stops] = [pairs, classesOf, mayHold];
    const found: number[] = [];
    let four = 0;
    for (let pair = leadBytes / 2; 2 * pair < end; pair += 1) {
      // Twice `BITS`: an imported constant would be read again for every pair.
      four = ((four << 10) | classesOfPair[units[pair]!]!) & 0xfffff;
      if ((stops[four >> 5]! >> four) & 1) {
        verify(2 * pair, four >> classBits, found);
        verify(2 * pair + 1, four, found);
      }
    }
    return found;
  };

  return (text, hit) => {
    let isAscii = true;
    for (let from = 0; from < text.length; from += step) {
      const chunk = text.slice(from, from + step + overlap);
      const { length } = chunk;
      const { written } = encoder.encodeInto(chunk, chunkBytes);
      if (written > length) {
        isAscii = false;
        // Beyond the last character `byteOf` returns NaN, which is stored as zero.
        for (let at = 0; at < written; at += 1) chunkBytes[at] = byteOf(chunk, at);
      }
      const found = search(leadBytes + length);
      // The buffer may contain secrets.
      chunkBytes.fill(0, 0, length);
      for (let index = 0; index < found.length; index += 1) {
        const { keyword, known } = entries[found[index]! >>> 16]!;
        const at = (found[index]! & 0xffff) - leadBytes;
        // Skips a keyword at the start of a later chunk: the previous chunk has reported it, with the character before it.
        if (at <= step && (at || !from) && isKeywordAt(text, from + at, keyword, known)) hit(keyword, from + at);
      }
    }
    return isAscii;
  };
}

/**
 * What to compare of a keyword: the index of its trigger; for the four bytes from two before the trigger on, and for the
 * next four, the bits to ignore and the value with those bits set; one bit per class that may precede the keyword.
 */
function fieldsOf(keyword: Keyword, trigger: number): readonly number[] {
  const { literal, caseSensitive } = keyword;
  const fourFrom = (from: number): readonly [open: number, wanted: number] => {
    let [open, wanted] = [0, 0];
    for (let place = 0; place < 4; place += 1) {
      const byte = byteOf(literal, from + place);
      const bits = byte ? (caseSensitive ? 0 : 32) : 255;
      open |= bits << (8 * place);
      wanted |= (byte | bits) << (8 * place);
    }
    return [open, wanted];
  };
  const before = classesBefore(keyword).reduce((bits, one) => bits | (1 << one), 0);
  return [trigger, ...fourFrom(trigger - 2), ...fourFrom(trigger + 2), before];
}

/** A literal that indicates a possible secret nearby. */
interface Keyword {
  readonly literal: string;
  /** If false, ASCII letters match in either case. @default false */
  readonly caseSensitive?: boolean | undefined;
  /** Tests the character before the keyword. Must give one answer for all characters of a class (`scan-classes.ts`). @default any */
  readonly after?: ((code: number) => boolean) | undefined;
}

/** Index of the character at which the scan looks for a keyword: its third, or the last of a shorter one. */
const triggerOf = (literal: string): number => (literal.length > 2 ? 2 : 1);

const every: readonly number[] = /* @__PURE__ */ [...Array(1 << classBits).keys()];

/** The classes of characters that may precede a keyword. */
const classesBefore = ({ after }: Keyword): readonly number[] =>
  after ? every.filter((one) => after(classMembers.charCodeAt(one))) : every;

/** Calls `mark` with every combination of classes of four bytes in which the third or fourth is the keyword's trigger. */
function markClasses(keyword: Keyword, mark: (four: number) => unknown): void {
  const { literal } = keyword;
  const sets = [
    every,
    classesBefore(keyword),
    ...literal.split('').map((one) => [classOfByte[byteOf(one, 0)]!]),
    every,
  ];
  const end = triggerOf(literal) + 3;
  const combine = (from: number, to: number, classes: number): void => {
    if (from === to) mark(classes);
    else for (const one of sets[from]!) combine(from + 1, to, (classes << classBits) | one);
  };
  combine(end - 4, end, 0);
  combine(end - 3, end + 1, 0);
}

/** True if the text at `at` is the keyword. Its characters before `from` are not compared. */
function isKeywordAt(text: string, at: number, { literal, caseSensitive }: Keyword, from: number): boolean {
  for (let offset = from; offset < literal.length; offset += 1) {
    const code = text.charCodeAt(at + offset);
    const wanted = literal.charCodeAt(offset);
    if (code !== wanted && (caseSensitive || (code ^ 32) !== wanted || !isLetter(code))) return false;
  }
  return true;
}
