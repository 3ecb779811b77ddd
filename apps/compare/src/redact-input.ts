import { inspect, redact } from '@palimpsest/redactor';
import type { Input } from './input.ts';
import { isJsonText, jsonStrings } from './json-strings.ts';
import { maximumTranscriptBytes, textLines, tooLarge } from './text-lines.ts';

const options = { boundary: true } as const;

/**
 * The text of an input with its secrets masked, in pieces. A file with one JSON value a line goes through line by
 * line; anything else is taken whole, since a key block spans lines.
 * @param found told the kind of each secret that was masked.
 * @throws {CliError} for what cannot be read or is too large to be taken whole
 */
export async function* redactInput(input: Input, found: (kind: string) => void): AsyncGenerator<string> {
  let isLines = false;
  const whole: string[] = [];
  let bytes = 0;
  for await (const line of textLines(input.open(), input.label)) {
    const opens = bytes === 0 && line.text.trim() !== '';
    if (opens) isLines = input.isLines || isJsonText(line.text);
    if (isLines) {
      yield redactText(line.text, found) + line.end;
      continue;
    }
    // Blank lines before the first word are none of either kind yet.
    if (opens || bytes > 0) bytes += line.bytes + 1;
    if (bytes > maximumTranscriptBytes) throw tooLarge(input.label, line.number);
    if (bytes > 0) whole.push(line.text, line.end);
    else yield line.text + line.end;
  }
  if (whole.length > 0) yield redactText(whole.join(''), found);
}

/**
 * Masks the secrets in a text. JSON is masked twice: first each string without its escapes, which could hide a secret,
 * then the whole, since the name before a value tells what it is.
 */
export function redactText(text: string, found: (kind: string) => void = () => {}): string {
  if (!isJsonText(text)) return mask(text, found);
  let inside = '';
  let from = 0;
  for (const { start, end, value } of jsonStrings(text)) {
    const masked = mask(value, found);
    if (masked === value) continue;
    inside += text.slice(from, start) + JSON.stringify(masked);
    from = end;
  }
  inside += text.slice(from);
  const outside = mask(inside, found);
  return isJsonText(outside) ? outside : inside;
}

function mask(text: string, found: (kind: string) => void): string {
  const masked = redact(text, options);
  if (masked !== text) for (const { kind } of inspect(text, options)) found(kind);
  return masked;
}
