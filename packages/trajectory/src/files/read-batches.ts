import { isUtf8 } from 'node:buffer';

/** A line that cannot be read as text. */
interface UnreadableLine {
  readonly reason: string;
  /** Its bytes, unless it is too long to keep. */
  readonly base64?: string;
}

/** Consecutive lines of a file, without their line ends. */
export interface LineBatch {
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  readonly lines: readonly (string | UnreadableLine)[];
  readonly bytes: number;
}

export interface BatchOptions {
  /** Number of lines to skip at the beginning. @default 0 */
  readonly skip?: number | undefined;
  /**
   * A batch ends with the line that reaches this size, wherever reading started, so that a resumed run has the same
   * batches. 0: lines are returned as they arrive, for a pipe.
   */
  readonly batchBytes: number;
  /** Longest line in bytes. The text of longer ones is not kept. @default 64 MiB */
  readonly maxLineBytes?: number | undefined;
}

const newline = 10;

/**
 * Splits a stream of bytes into batches of lines. Linear. Holds one batch or one line at a time. Written by hand: see
 * `contributing/decisions/small-parts-by-hand.md`.
 */
export async function* readBatches(
  chunks: AsyncIterable<Uint8Array>,
  { skip = 0, batchBytes, maxLineBytes = 64 * 2 ** 20 }: BatchOptions,
): AsyncGenerator<LineBatch> {
  let [line, bytes, heldBytes] = [0, 0, 0];
  let lines: (string | UnreadableLine)[] = [];
  let held: Uint8Array[] = [];
  const hold = (piece: Uint8Array): void => {
    heldBytes += piece.length;
    if (line < skip || heldBytes > maxLineBytes) held = [];
    else held.push(piece);
  };
  const endLine = (): void => {
    if (++line > skip) {
      const reason = `a line of ${heldBytes} bytes, longer than ${maxLineBytes}`;
      lines.push(
        heldBytes > maxLineBytes ? { reason } : textOf(held.length === 1 ? held[0]! : Buffer.concat(held), line),
      );
      bytes += heldBytes + 1;
    }
    held = [];
    heldBytes = 0;
  };
  const takeBatch = (): LineBatch => {
    const batch = { firstLine: line - lines.length + 1, lines, bytes };
    lines = [];
    bytes = 0;
    return batch;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      endLine();
      start = end + 1;
      if (batchBytes > 0 && bytes >= batchBytes) yield takeBatch();
    }
    if (start < chunk.length) hold(chunk.subarray(start));
    if (batchBytes === 0 && lines.length > 0) yield takeBatch();
  }
  if (heldBytes > 0) endLine();
  if (lines.length > 0) yield takeBatch();
}

function textOf(bytes: Uint8Array, line: number): string | UnreadableLine {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!isUtf8(buffer)) return { reason: 'not UTF-8', base64: buffer.toString('base64') };
  const text = buffer.toString('utf8');
  return line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
}
