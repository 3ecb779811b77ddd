import { CliError } from '@palimpsest/command-line/cli-error';
import {
  type DecodedTranscript,
  decodeValue,
  formatOf,
  type Gathering,
  gathering,
  InvalidTranscript,
  isLog,
  mayFollow,
} from './decode.ts';
import type { Input } from './input.ts';
import { type JsonValue, jsonValues } from './json-values.ts';
import { maxTranscriptBytes, tooLarge } from './text-lines.ts';

/** A transcript read from an input. Write one encoded value per line if `layout` is `lines`. */
export interface FoundTranscript extends DecodedTranscript {
  /** Its own id, or else the file name, with `#3` for line 3 of a file with several transcripts. */
  readonly id: string;
  readonly file: string;
  /** The line it begins on, counted from 1. */
  readonly line: number;
  readonly layout: JsonValue['layout'];
  readonly format: string;
}

/** Maximum size of a session log, in bytes. Only the conversation is kept in memory; the rest is discarded line by line. */
const maximumLogBytes = 256 * 2 ** 20;

/**
 * Reads the transcripts of an input, one at a time. A file with one transcript per line may have any size: memory use
 * depends on the longest line.
 * @throws {CliError} if the input is unreadable, not JSON, not a transcript, or too large
 */
export async function* readTranscripts(input: Input): AsyncGenerator<FoundTranscript> {
  const { label, stem } = input;
  let begun: { readonly first: JsonValue; readonly format: string; readonly parts: Gathering | null } | null = null;
  let bytes = 0;
  for await (const found of jsonValues(input, () => begun !== null && isLog(begun.format))) {
    if (begun && !mayFollow(begun.format, found.value))
      throw CliError.badInput(
        `${label}, line ${found.line}: its format differs from the lines before (${begun.format}); use one format per file`,
      );
    begun ??= beginning(found, label);
    const { format, parts } = begun;
    if (!parts) {
      const { line, layout, value } = found;
      const isOneOfSeveral = layout === 'lines';
      const where = isOneOfSeveral ? `${label}, line ${line}` : label;
      const decoded = attempt(() => decodeValue(value), where, advice);
      yield {
        ...decoded,
        id: decoded.id ?? (isOneOfSeveral ? `${stem}#${line}` : stem),
        file: label,
        line,
        layout,
        format,
      };
      continue;
    }
    bytes += found.bytes;
    const maximum = isLog(format) ? maximumLogBytes : maxTranscriptBytes;
    if (bytes > maximum) throw tooLarge(label, found.line, maximum);
    attempt(() => parts.add(found.value), `${label}, line ${found.line}`, 'remove or fix the line');
  }
  if (!begun?.parts) return;
  const { first, format, parts } = begun;
  const decoded = attempt(() => parts.end(), label, advice);
  if (decoded === null) throw CliError.foreignInput(`${label}: this session has no messages; choose another`);
  yield { ...decoded, id: decoded.id ?? stem, file: label, line: first.line, layout: first.layout, format };
}

const advice = 'pass a conversation of at least one message, such as chat-completions messages ({ "role", "content" })';

/** @throws {CliError} with what is wrong and what to do */
function attempt<Result>(read: () => Result, where: string, todo: string): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidTranscript)) throw error;
    throw CliError.badInput(`${where}: ${error.message}; ${todo}`);
  }
}

/** @throws {CliError} for a value that is not a transcript */
function beginning(
  first: JsonValue,
  label: string,
): { readonly first: JsonValue; readonly format: string; readonly parts: Gathering | null } {
  const { line, value } = first;
  const format = formatOf(value);
  if (format !== null) return { first, format, parts: gathering(format) };
  const what = Array.isArray(value)
    ? 'an array without messages'
    : value === null
      ? 'null'
      : typeof value === 'object'
        ? 'an unknown object'
        : `a ${typeof value}`;
  throw CliError.foreignInput(
    `${label}, line ${line}: it is JSON but not a transcript (${what}); pass an array of { "role", "content" } messages, an object with "messages", "input" or "conversations", one of these per line, or a Claude Code or Codex session`,
  );
}
