import { type Content, isImagePart, isTextPart, type Part } from '@palimpsest/core';

/** Matches a data URL. Lengths are bounded, so that the search is linear. */
const dataUrl: RegExp = /data:[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w.+=-]{1,64}){0,4};base64,[A-Za-z0-9+/_=-]{64,}/g;
/**
 * Minimum length of base64 data without line breaks, in characters. Identifiers, paths and minified names are shorter.
 */
const minDataLength = 1_024;
const base64Run: RegExp = /[A-Za-z0-9+/]*={0,2}/y;
/** True for letters, digits, slash and plus. */
const isBase64 = (code: number): boolean =>
  (code >= 47 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122) || code === 43;

/**
 * Converts content to text: pictures become `[image]`, other media their type in brackets, and data in texts its size.
 */
export function plainText(content: Content): string {
  if (typeof content === 'string') return withoutData(content);
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content as readonly Part[]) {
    if (!part) continue;
    if (isTextPart(part)) texts.push(withoutData(part.text));
    else if (isImagePart(part)) texts.push('[image]');
    else if (part.type === 'refusal' && typeof (part as { refusal?: unknown }).refusal === 'string')
      texts.push((part as unknown as { refusal: string }).refusal);
    else if (!hidden.has(part.type))
      texts.push(
        `[${
          String(part.type)
            .replace(/[^\w-]+/g, '')
            .slice(0, 32) || 'part'
        }]`,
      );
  }
  return texts.join('\n');
}

/** Types of parts with reasoning. They are omitted, because some providers forbid sending them to another model. */
const hidden: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** Replaces data URLs and long base64 in a text with short placeholders. */
export function withoutData(text: string): string {
  if (text.length < 64) return text;
  const short = text.includes(';base64,')
    ? text.replace(dataUrl, (url) => (url.startsWith('data:image/') ? '[image]' : '[data]'))
    : text;
  return withoutBase64(short);
}

/** Checks only every 1,024th character: data that is long enough covers at least one of them. */
function withoutBase64(text: string): string {
  let kept = '';
  let from = 0;
  for (let probe = minDataLength - 1; probe < text.length; probe += minDataLength) {
    let start = probe;
    while (start > from && isBase64(text.charCodeAt(start - 1))) start--;
    base64Run.lastIndex = start;
    const run = base64Run.test(text) ? base64Run.lastIndex - start : 0;
    if (run < minDataLength) continue;
    kept += `${text.slice(from, start)}[data, ${run} characters]`;
    from = start + run;
    probe = from - 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}
