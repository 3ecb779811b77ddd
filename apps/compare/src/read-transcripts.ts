import type { Message } from '@palimpsest/core';
import { Complaint } from './complaint.ts';
import type { Input } from './input.ts';
import { type JsonValue, jsonValues } from './json-values.ts';
import { maximumTranscriptBytes, tooLarge } from './text-lines.ts';
import { type TranscriptFormat, transcriptFormats } from './transcript-format.ts';

/** A transcript as it was found. */
export interface FoundTranscript {
  /** Its own name, or the file's; with `#3` for the third line of a file that holds several. */
  readonly id: string;
  readonly file: string;
  /** Where it begins in the file, counted from 1. */
  readonly line: number;
  readonly layout: JsonValue['layout'];
  readonly format: string;
  readonly messages: readonly Message[];
  readonly tools: readonly unknown[];
  /** The JSON values to write, one a line when `layout` is `lines`, with other messages in the transcript's place. */
  encode(messages: readonly Message[]): readonly unknown[];
}

/**
 * The transcripts of an input, one at a time: a file of any size with one transcript a line is read in the memory of
 * its largest line.
 * @throws {Complaint} for what cannot be read, is no JSON, is no transcript, or is too large
 */
export async function* readTranscripts(
  input: Input,
  formats: readonly TranscriptFormat[] = transcriptFormats,
): AsyncGenerator<FoundTranscript> {
  let format: TranscriptFormat | undefined;
  let first: JsonValue | undefined;
  const gathered: unknown[] = [];
  let bytes = 0;
  for await (const found of jsonValues(input)) {
    if (!format) {
      format = formats.find((candidate) => candidate.recognizes(found.value));
      first = found;
      if (!format) throw foreign(input, found);
    } else if (!format.recognizes(found.value)) {
      throw Complaint.badInput(
        `${input.label}, line ${found.line}: it is not of the shape of the lines before (${format.name}); keep one shape a file`,
      );
    }
    if (format.transcriptIn === 'each-value') {
      yield decode(format, [found.value], input, found);
      continue;
    }
    bytes += found.bytes;
    if (bytes > maximumTranscriptBytes) throw tooLarge(input.label, found.line);
    gathered.push(found.value);
  }
  if (format?.transcriptIn === 'all-values' && first) yield decode(format, gathered, input, first);
}

function decode(
  format: TranscriptFormat,
  values: readonly unknown[],
  input: Input,
  { line, layout }: JsonValue,
): FoundTranscript {
  const decoded = format.decode(values);
  const several = layout === 'lines' && format.transcriptIn === 'each-value';
  if (typeof decoded === 'string')
    throw Complaint.badInput(
      `${input.label}${several ? `, line ${line}` : ''}: ${decoded}; give chat-completions messages ({ "role", "content" }), at least one`,
    );
  const { id, messages, tools, encode } = decoded;
  return {
    id: id ?? (several ? `${input.stem}#${line}` : input.stem),
    file: input.label,
    line,
    layout,
    format: format.name,
    messages,
    tools,
    encode,
  };
}

function foreign(input: Input, { line, value }: JsonValue): Complaint {
  const what = Array.isArray(value)
    ? 'an array of something else'
    : value === null
      ? 'null'
      : typeof value === 'object'
        ? 'an object of another shape'
        : `a ${typeof value}`;
  return Complaint.foreignInput(
    `${input.label}, line ${line}: it is JSON but no transcript (${what}); give an array of { "role", "content" } messages, an object with "messages", or one of these a line`,
  );
}
