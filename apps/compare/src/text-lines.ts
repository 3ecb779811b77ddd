import { CliError } from './cli-error.ts';

/**
 * The most one transcript may hold, in bytes. It has to stand in memory whole; this keeps the process under about a
 * gigabyte. A file with one transcript a line may be of any size: it is read line by line.
 */
export const maximumTranscriptBytes: number = 64 * 2 ** 20;

export interface TextLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: number;
  /** What stood behind it: nothing at the end of a file that does not end with a line break. */
  readonly end: '\n' | '';
}

/**
 * Splits bytes into lines of UTF-8 without ever holding more than one. Carriage returns and a byte-order mark stay.
 * @throws {CliError} for a line over {@link maximumTranscriptBytes} and for what is not UTF-8
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;
  const add = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > maximumTranscriptBytes) throw tooLarge(label, number + 1);
    if (part.length > 0) parts.push(part);
  };
  const take = (end: TextLine['end']): TextLine => {
    number++;
    const line = { text: decode(decoder, parts, label, number), number, bytes, end };
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      yield take('\n');
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield take('');
}

/** What is said about more than one transcript may hold. */
export function tooLarge(label: string, line: number, maximumBytes: number = maximumTranscriptBytes): CliError {
  return CliError.badInput(
    `${label}, line ${line}: one transcript is larger than ${maximumBytes / 2 ** 20} MB, which is the limit; write one transcript a line (.jsonl), a file of any size is then read`,
  );
}

function decode(decoder: TextDecoder, parts: readonly Uint8Array[], label: string, number: number): string {
  try {
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  } catch (error) {
    throw CliError.badInput(
      `${label}, line ${number}: it is not UTF-8 text (compressed, binary or of another encoding); unpack or convert it first`,
      error,
    );
  }
}
