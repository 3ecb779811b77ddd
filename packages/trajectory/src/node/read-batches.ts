/** Complete lines of a file, and their position in it. */
export interface LineBatch {
  readonly kind: 'lines';
  /**
   * The lines with their line ends; only the last line of a file may have none. The array owns its buffer, so that it
   * can be transferred.
   */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  /** Number of the line after the last one. */
  readonly nextLine: number;
  /** End of the batch, in bytes of the unpacked file. */
  readonly endOffset: number;
}

/** A line that is too long to read. */
export interface OversizedLine {
  readonly kind: 'oversized';
  readonly firstLine: number;
  readonly nextLine: number;
  readonly endOffset: number;
  readonly bytes: number;
}

export interface BatchOptions {
  /** Offset of the first byte in the file. @default 0 */
  readonly offset?: number | undefined;
  /** Number of the first line. @default 1 */
  readonly line?: number | undefined;
  /**
   * Size of a batch in bytes. A batch ends with the first line end after a multiple of this size, counted from the start
   * of the file. So the batches of a file are the same wherever reading starts. 0: return lines as they arrive, for a pipe.
   */
  readonly batchBytes: number;
  /** Longest line in bytes. Longer ones are skipped and reported. */
  readonly maxRowBytes: number;
}

const newline = 10;

/** Splits a stream of bytes into batches of complete lines. Linear. Holds one batch or one line at a time. */
export async function* readBatches(
  chunks: AsyncIterable<Uint8Array>,
  options: BatchOptions,
): AsyncGenerator<LineBatch | OversizedLine> {
  const splitter = new BatchSplitter(options);
  for await (const chunk of chunks) yield* splitter.add(chunk);
  yield* splitter.end();
}

class BatchSplitter {
  readonly #options: BatchOptions;
  #offset: number;
  #line: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** Bytes skipped so far of an oversized line; -1 outside of one. */
  #skipped = -1;

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#offset = options.offset ?? 0;
    this.#line = options.line ?? 1;
  }

  /** Adds a chunk. Returns the batches that end in it. */
  *add(given: Uint8Array): Generator<LineBatch | OversizedLine> {
    let chunk = given;
    while (chunk.length > 0) {
      if (this.#skipped >= 0) {
        const end = chunk.indexOf(newline);
        if (end === -1) {
          this.#skipped += chunk.length;
          return;
        }
        yield this.#giveUp(this.#skipped + end + 1);
        chunk = chunk.subarray(end + 1);
        continue;
      }
      const end = batchEnd(chunk, this.#offset + this.#heldBytes, this.#offset, this.#options.batchBytes);
      if (end === 0) {
        yield* this.#hold(chunk);
        return;
      }
      yield this.#take(chunk.subarray(0, end));
      chunk = chunk.subarray(end);
    }
  }

  /** Ends the file. Returns the rest as a batch. */
  *end(): Generator<LineBatch | OversizedLine> {
    if (this.#skipped >= 0) yield this.#giveUp(this.#skipped);
    if (this.#heldBytes > 0) yield this.#take(empty);
  }

  /** Holds a chunk until its batch ends. If its last line is too long, skips the line and returns those before it. */
  *#hold(chunk: Uint8Array): Generator<LineBatch> {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    const tooLong = unfinishedBytes(this.#held, this.#options.maxRowBytes);
    if (tooLong === 0) return;
    const whole = joined(this.#held, this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    if (tooLong < whole.length) yield this.#take(whole.subarray(0, whole.length - tooLong));
    this.#skipped = tooLong;
  }

  #take(rest: Uint8Array): LineBatch {
    const bytes = joined([...this.#held, rest], this.#heldBytes + rest.length);
    const firstLine = this.#line;
    this.#offset += bytes.length;
    this.#line += countNewlines(bytes);
    this.#held = [];
    this.#heldBytes = 0;
    const start = firstLine === 1 && this.#offset === bytes.length ? bomLength(bytes) : 0;
    return {
      kind: 'lines',
      bytes: start > 0 ? bytes.slice(start) : bytes,
      firstLine,
      nextLine: this.#line,
      endOffset: this.#offset,
    };
  }

  #giveUp(bytes: number): OversizedLine {
    this.#offset += bytes;
    this.#line++;
    this.#skipped = -1;
    return { kind: 'oversized', firstLine: this.#line - 1, nextLine: this.#line, endOffset: this.#offset, bytes };
  }
}

const empty = new Uint8Array(0);

/** The end of the batch in a chunk; 0 if the batch continues. */
function batchEnd(chunk: Uint8Array, chunkOffset: number, batchOffset: number, batchBytes: number): number {
  if (batchBytes === 0) return chunk.lastIndexOf(newline) + 1;
  const boundary = (Math.floor(batchOffset / batchBytes) + 1) * batchBytes;
  return chunk.indexOf(newline, Math.max(0, boundary - 1 - chunkOffset)) + 1;
}

/** Bytes of the incomplete last line if there are more than `most`; otherwise 0. */
function unfinishedBytes(held: readonly Uint8Array[], most: number): number {
  let bytes = 0;
  for (let index = held.length - 1; index >= 0; index--) {
    const last = held[index]!.lastIndexOf(newline);
    bytes += held[index]!.length - 1 - last;
    if (last !== -1) break;
  }
  return bytes > most ? bytes : 0;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

function bomLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
