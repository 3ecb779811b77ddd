import { CliError } from '@palimpsest/command-line/cli-error';
import type { Input } from './input.ts';
import { maxTranscriptBytes, type TextLine, textLines, tooLarge } from './text-lines.ts';

/** One JSON value of an input. */
export interface JsonValue {
  readonly value: unknown;
  /** The line it begins on, counted from 1. */
  readonly line: number;
  readonly bytes: number;
  /** `document`: the input is this one value. `lines`: the input has one value per line. */
  readonly layout: 'document' | 'lines';
}

/**
 * Reads an input as one JSON document or as one JSON value per line. The file extension decides, or else the first
 * line. At most two values are in memory at a time.
 * @param mayEndCutOff called for a line that is not JSON. Returns true to ignore it if it is the last one
 * @throws {CliError} if the input is empty, not JSON, cut off, or has a value over {@link maxTranscriptBytes}
 */
export async function* jsonValues(input: Input, mayEndCutOff: () => boolean = () => false): AsyncGenerator<JsonValue> {
  const { label } = input;
  const lines = textLines(input.open(), label);
  let waiting: Omit<JsonValue, 'layout'> | null = null;
  let several = input.isLines;
  for await (const found of lines) {
    const line = found.number === 1 ? { ...found, text: found.text.replace(/^\ufeff/, '') } : found;
    if (line.text.trim() === '') continue;
    if (waiting) {
      several = true;
      yield { ...waiting, layout: 'lines' };
    }
    const parsed = parse(line.text);
    if (!parsed.ok && !several) {
      yield await documentOf(line, lines, label);
      return;
    }
    if (!parsed.ok) {
      if (mayEndCutOff() && (await isAtEnd(lines))) break;
      throw notJson(label, line.number, parsed.error);
    }
    waiting = { value: parsed.value, line: line.number, bytes: line.bytes };
  }
  if (!waiting)
    throw CliError.badInput(`${label}: it is empty; pass a transcript in JSON, or one JSON value per line (.jsonl)`);
  yield { ...waiting, layout: several ? 'lines' : 'document' };
}

async function isAtEnd(lines: AsyncIterable<TextLine>): Promise<boolean> {
  for await (const { text } of lines) if (text.trim() !== '') return false;
  return true;
}

/** Reads the rest of a document that spans several lines. */
async function documentOf(first: TextLine, rest: AsyncIterable<TextLine>, label: string): Promise<JsonValue> {
  const texts = [first.text];
  let bytes = first.bytes;
  for await (const line of rest) {
    bytes += line.bytes + 1;
    if (bytes > maxTranscriptBytes) throw tooLarge(label, line.number);
    texts.push(line.text);
  }
  const text = texts.join('\n');
  const parsed = parse(text);
  if (!parsed.ok) throw notJson(label, first.number, parsed.error, text);
  return { value: parsed.value, line: first.number, bytes, layout: 'document' };
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: SyntaxError };

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, error: error as SyntaxError };
  }
}

/** Builds the error for invalid JSON. The parser's message quotes the input, so only its position is used. */
function notJson(label: string, line: number, error: SyntaxError, text = ''): CliError {
  if (/end of JSON|unterminated/i.test(error.message))
    return CliError.badInput(
      `${label}, line ${line}: the JSON that begins here is cut off; complete it, or remove the incomplete line`,
      error,
    );
  const position = Number(/at position (\d+)/.exec(error.message)?.[1] ?? Number.NaN);
  const before = text.slice(0, Number.isNaN(position) ? 0 : position).split('\n');
  const where =
    Number.isNaN(position) || text === ''
      ? ''
      : ` (at line ${line + before.length - 1}, column ${before.at(-1)!.length + 1})`;
  return CliError.badInput(
    `${label}, line ${line}: it is not JSON${where}; pass a transcript in JSON, or one JSON value per line (.jsonl)`,
    error,
  );
}
