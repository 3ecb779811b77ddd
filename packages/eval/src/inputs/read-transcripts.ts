import { CliError } from '@palimpsest/command-line/cli-error';
import type { Dialect, Message, Provenance } from '@palimpsest/core';
import { chat, messageLines } from './chat-format.ts';
import { codecFormats } from './codec-format.ts';
import type { Input } from './input.ts';
import { type JsonValue, jsonValues } from './json-values.ts';
import { logFormats } from './log-format.ts';
import { tooLarge } from './text-lines.ts';
import type { DecodedTranscript, Gathering, TranscriptFormat } from './transcript-format.ts';

/** All supported transcript formats, tried in this order. */
const transcriptFormats: readonly TranscriptFormat[] = [...codecFormats, ...logFormats, chat, messageLines];

/** A transcript read from an input. */
export interface FoundTranscript {
  /** Its own id, or else the file name, with `#3` for line 3 of a file with several transcripts. */
  readonly id: string;
  readonly file: string;
  /** The line it begins on, counted from 1. */
  readonly line: number;
  readonly layout: JsonValue['layout'];
  readonly format: string;
  readonly messages: readonly Message[];
  readonly tools: readonly unknown[];
  /** Which provider's rules apply to roles. @default 'openai' */
  readonly dialect?: Dialect | undefined;
  /** Encodes edited messages in the original format. Write one value per line if `layout` is `lines`. */
  encode(messages: readonly Message[], provenance: Provenance): readonly unknown[];
}

/**
 * Reads the transcripts of an input, one at a time. A file with one transcript per line may have any size: memory use
 * depends on the longest line.
 * @throws {CliError} if the input is unreadable, not JSON, not a transcript, or too large
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
  // The agent may still be writing the last line of its log.
  for await (const found of jsonValues(input, isLog)) {
    if (!format) {
      format = formats.find((candidate) => candidate.recognizes(found.value));
      first = found;
      if (!format) throw foreign(input, found);
      if (format.transcriptIn === 'all-values') gathering = format.gather();
    } else if (!isLog() && !format.recognizes(found.value)) {
      throw CliError.badInput(
        `${input.label}, line ${found.line}: its format differs from the lines before (${format.name}); use one format per file`,
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
      throw CliError.badInput(`${input.label}, line ${found.line}: ${problem}; remove or fix the line`);
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
  if (decoded === null) throw CliError.foreignInput(`${input.label}: this session has no messages; choose another`);
  if (typeof decoded === 'string')
    throw CliError.badInput(
      `${input.label}${several ? `, line ${line}` : ''}: ${decoded}; pass ${advice[name] ?? 'a conversation of at least one message'}`,
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

/** Suggested input in errors about an invalid transcript, by format. */
const advice: Readonly<Record<string, string>> = {
  'chat-completions': 'chat-completions messages ({ "role", "content" }), at least one',
  'message-lines': 'chat-completions messages ({ "role", "content" }), at least one',
};

function foreign(input: Input, { line, value }: JsonValue): CliError {
  const what = Array.isArray(value)
    ? 'an array without messages'
    : value === null
      ? 'null'
      : typeof value === 'object'
        ? 'an unknown object'
        : `a ${typeof value}`;
  return CliError.foreignInput(
    `${input.label}, line ${line}: it is JSON but not a transcript (${what}); pass an array of { "role", "content" } messages, an object with "messages", "input" or "conversations", one of these per line, or a Claude Code or Codex session`,
  );
}
