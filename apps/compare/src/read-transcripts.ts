import type { Dialect, Message, Provenance } from '@palimpsest/core';
import { CliError } from './cli-error.ts';
import type { Input } from './input.ts';
import { type JsonValue, jsonValues } from './json-values.ts';
import { tooLarge } from './text-lines.ts';
import type { DecodedTranscript, Gathering, TranscriptFormat } from './transcript-format.ts';
import { transcriptFormats } from './transcript-formats.ts';

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
  /** How strictly its provider reads roles. @default 'openai' */
  readonly dialect?: Dialect | undefined;
  /** The JSON values to write, one a line when `layout` is `lines`, with other messages in the transcript's place. */
  encode(messages: readonly Message[], provenance: Provenance): readonly unknown[];
}

/**
 * The transcripts of an input, one at a time: a file of any size with one transcript a line is read in the memory of
 * its largest line.
 * @throws {CliError} for what cannot be read, is no JSON, is no transcript, or is too large
 */
export async function* readTranscripts(
  input: Input,
  formats: readonly TranscriptFormat[] = transcriptFormats,
): AsyncGenerator<FoundTranscript> {
  let format: TranscriptFormat | undefined;
  let first: JsonValue | undefined;
  let gathering: Gathering | undefined;
  let bytes = 0;
  const isLog = (): boolean => format?.transcriptIn === 'all-values' && format.mixed;
  // An agent may be writing the last line of its log at this moment.
  for await (const found of jsonValues(input, isLog)) {
    if (!format) {
      format = formats.find((candidate) => candidate.recognizes(found.value));
      first = found;
      if (!format) throw foreign(input, found);
      if (format.transcriptIn === 'all-values') gathering = format.gather();
    } else if (!isLog() && !format.recognizes(found.value)) {
      throw CliError.badInput(
        `${input.label}, line ${found.line}: it is not of the shape of the lines before (${format.name}); keep one shape a file`,
      );
    }
    if (format.transcriptIn === 'each-value') {
      yield transcriptOf(format.decode(found.value), format, input, found);
      continue;
    }
    bytes += found.bytes;
    if (bytes > format.maximumBytes) throw tooLarge(input.label, found.line, format.maximumBytes);
    const problem = gathering!.add(found.value);
    if (problem !== null)
      throw CliError.badInput(`${input.label}, line ${found.line}: ${problem}; take the line out, or mend it`);
  }
  if (format && gathering && first) yield transcriptOf(gathering.end(), format, input, first);
}

function transcriptOf(
  decoded: DecodedTranscript | string | null,
  { name, transcriptIn }: TranscriptFormat,
  input: Input,
  { line, layout }: JsonValue,
): FoundTranscript {
  const several = layout === 'lines' && transcriptIn === 'each-value';
  if (decoded === null) throw CliError.foreignInput(`${input.label}: nothing was said in this session; give another`);
  if (typeof decoded === 'string')
    throw CliError.badInput(
      `${input.label}${several ? `, line ${line}` : ''}: ${decoded}; give ${advice[name] ?? 'a conversation of at least one message'}`,
    );
  const { id, messages, tools, dialect, encode } = decoded;
  return {
    id: id ?? (several ? `${input.stem}#${line}` : input.stem),
    file: input.label,
    line,
    layout,
    format: name,
    messages,
    tools,
    dialect,
    encode,
  };
}

/** What to give instead of something broken, by format. */
const advice: Readonly<Record<string, string>> = {
  'chat-completions': 'chat-completions messages ({ "role", "content" }), at least one',
  'message-lines': 'chat-completions messages ({ "role", "content" }), at least one',
};

function foreign(input: Input, { line, value }: JsonValue): CliError {
  const what = Array.isArray(value)
    ? 'an array of something else'
    : value === null
      ? 'null'
      : typeof value === 'object'
        ? 'an object of another shape'
        : `a ${typeof value}`;
  return CliError.foreignInput(
    `${input.label}, line ${line}: it is JSON but no transcript (${what}); give an array of { "role", "content" } messages, an object with "messages", "input" or "conversations", one of these a line, or a session of Claude Code or Codex`,
  );
}
