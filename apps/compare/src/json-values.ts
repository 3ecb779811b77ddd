import { Complaint } from './complaint.ts';
import type { Input } from './input.ts';
import { maximumTranscriptBytes, type TextLine, textLines, tooLarge } from './text-lines.ts';

/** One JSON value of an input. */
export interface JsonValue {
  readonly value: unknown;
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly bytes: number;
  /** `document`: the input is this one value. `lines`: the input holds one value a line. */
  readonly layout: 'document' | 'lines';
}

/**
 * Reads an input as one JSON document or as one JSON value a line, whichever it is: the first line decides, unless
 * the file's name does. Of a file with many values only two are in memory at a time.
 * @param mayEndCutOff asked when a line is no JSON: whether that is fine should it turn out to be the last
 * @throws {Complaint} when it is empty, no JSON, cut off, or holds a value over {@link maximumTranscriptBytes}
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
    throw Complaint.badInput(`${label}: it is empty; give a transcript in JSON, or one JSON value a line (.jsonl)`);
  yield { ...waiting, layout: several ? 'lines' : 'document' };
}

async function isAtEnd(lines: AsyncIterable<TextLine>): Promise<boolean> {
  for await (const { text } of lines) if (text.trim() !== '') return false;
  return true;
}

/** The document that the first line opens, read to its end. */
async function documentOf(first: TextLine, rest: AsyncIterable<TextLine>, label: string): Promise<JsonValue> {
  const texts = [first.text];
  let bytes = first.bytes;
  for await (const line of rest) {
    bytes += line.bytes + 1;
    if (bytes > maximumTranscriptBytes) throw tooLarge(label, line.number);
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

/** The parser's own message quotes the text, which may hold anything; only its position is passed on. */
function notJson(label: string, line: number, error: SyntaxError, text = ''): Complaint {
  if (/end of JSON|unterminated/i.test(error.message))
    return Complaint.badInput(
      `${label}, line ${line}: the JSON that begins here is cut off; complete it, or take the incomplete line out`,
      error,
    );
  const position = Number(/at position (\d+)/.exec(error.message)?.[1] ?? Number.NaN);
  const before = text.slice(0, Number.isNaN(position) ? 0 : position).split('\n');
  const where =
    Number.isNaN(position) || text === ''
      ? ''
      : ` (at line ${line + before.length - 1}, column ${before.at(-1)!.length + 1})`;
  return Complaint.badInput(
    `${label}, line ${line}: it is not JSON${where}; give a transcript in JSON, or one JSON value a line (.jsonl)`,
    error,
  );
}
