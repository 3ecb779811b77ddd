import { CliError } from '@palimpsest/command-line/cli-error';

/**
 * Maximum size of one transcript, in bytes. A transcript must fit in memory; this limit keeps the process below about
 * one gigabyte. A file with one transcript per line may have any size.
 */
export const maxTranscriptBytes: number = 64 * 2 ** 20;

/** A line of a text. */
export interface TextLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: number;
  /** The line break after it; empty at the end of a file without a final line break. */
  readonly end: '\n' | '';
}

/**
 * Splits bytes into UTF-8 lines, one in memory at a time. Carriage returns and a byte-order mark are kept.
 * @throws {CliError} for a line over {@link maxTranscriptBytes} and for bytes that are not UTF-8
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;
  const add = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > maxTranscriptBytes) throw tooLarge(label, number + 1);
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

/** The error for a transcript over the size limit. */
export function tooLarge(label: string, line: number, maximumBytes: number = maxTranscriptBytes): CliError {
  return CliError.badInput(
    `${label}, line ${line}: a transcript exceeds the limit of ${maximumBytes / 2 ** 20} MB; if the file has several, write one transcript per line (.jsonl), which allows any file size`,
  );
}

function decode(decoder: TextDecoder, parts: readonly Uint8Array[], label: string, number: number): string {
  try {
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  } catch (error) {
    throw CliError.badInput(
      `${label}, line ${number}: it is not UTF-8 text (compressed, binary or in another encoding); unpack or convert it first`,
      error,
    );
  }
}
