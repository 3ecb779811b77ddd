import { isJson } from '@palimpsest/core/authoring';
import { inspect, redact } from '@palimpsest/redactor';
import type { Input } from './input.ts';
import { maxTranscriptBytes, textLines, tooLarge } from './text-lines.ts';

/** A string in a JSON text: the position of its literal, and its value. */
interface JsonString {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const options = { boundary: true } as const;

/**
 * Masks the secrets in an input and yields its text in pieces. A file with one JSON value per line is processed line by
 * line. Any other text is read whole, because a private key block spans lines.
 * @param report called with the kind of each masked secret
 * @throws {CliError} if the input is unreadable or too large to read whole
 */
export async function* redactInput(input: Input, report: (kind: string) => void): AsyncGenerator<string> {
  let isLines = false;
  const whole: string[] = [];
  let bytes = 0;
  for await (const line of textLines(input.open(), input.label)) {
    const opens = bytes === 0 && line.text.trim() !== '';
    if (opens) isLines = input.isLines || isJson(line.text);
    if (isLines) {
      yield redactText(line.text, report) + line.end;
      continue;
    }
    // Leading blank lines do not show which kind of text this is.
    if (opens || bytes > 0) bytes += line.bytes + 1;
    if (bytes > maxTranscriptBytes) throw tooLarge(input.label, line.number);
    if (bytes > 0) whole.push(line.text, line.end);
    else yield line.text + line.end;
  }
  if (whole.length > 0) yield redactText(whole.join(''), report);
}

/**
 * Masks the secrets in a text. JSON is masked twice: first each decoded string, because escapes can hide a secret, then
 * the whole text, because a property name can identify its value as a secret.
 */
export function redactText(text: string, report: (kind: string) => void = () => {}): string {
  if (!isJson(text)) return mask(text, report);
  let inside = '';
  let from = 0;
  for (const { start, end, value } of jsonStrings(text)) {
    const masked = mask(value, report);
    if (masked === value) continue;
    inside += text.slice(from, start) + JSON.stringify(masked);
    from = end;
  }
  inside += text.slice(from);
  const outside = mask(inside, report);
  return isJson(outside) ? outside : inside;
}

function mask(text: string, report: (kind: string) => void): string {
  const masked = redact(text, options);
  if (masked !== text) for (const { kind } of inspect(text, options)) report(kind);
  return masked;
}

/** The string literals of a valid JSON text, in order. They allow edits that keep the formatting. Linear time. */
export function* jsonStrings(text: string): Generator<JsonString> {
  for (let start = text.indexOf('"'); start !== -1; ) {
    let end = start + 1;
    while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    end++;
    yield { start, end, value: JSON.parse(text.slice(start, end)) as string };
    start = text.indexOf('"', end);
  }
}
