import { type Content, isImagePart, isTextPart, type Part } from '@palimpsest/core';

/** A data URL; both lengths are bounded so that the search stays linear. */
const dataUrl: RegExp = /data:[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w.+=-]{1,64}){0,4};base64,[A-Za-z0-9+/_=-]{64,}/g;
/** Base64 without line breaks of this length is data: no identifier, path or minified name is as long. */
const shortestData = 1_024;
const base64Stretch: RegExp = /[A-Za-z0-9+/]*={0,2}/y;
/** Digits with the slash before them, letters, plus. */
const isBase64 = (code: number): boolean =>
  (code >= 47 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122) || code === 43;

/** The content as text: pictures as `[image]`, other media by their type, data inside of texts by its size. */
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

/** Parts that hold reasoning: no source material, and some providers forbid sending it to another model. */
const hidden: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** The text with embedded media data replaced by a word. */
export function withoutData(text: string): string {
  if (text.length < 64) return text;
  const short = text.includes(';base64,')
    ? text.replace(dataUrl, (url) => (url.startsWith('data:image/') ? '[image]' : '[data]'))
    : text;
  return withoutBase64(short);
}

/**
 * Looks at every 1,024th character only: a stretch long enough to matter covers one of them, and at most of them a
 * space or another mark is near.
 */
function withoutBase64(text: string): string {
  let kept = '';
  let from = 0;
  for (let probe = shortestData - 1; probe < text.length; probe += shortestData) {
    let start = probe;
    while (start > from && isBase64(text.charCodeAt(start - 1))) start--;
    base64Stretch.lastIndex = start;
    const run = base64Stretch.test(text) ? base64Stretch.lastIndex - start : 0;
    if (run < shortestData) continue;
    kept += `${text.slice(from, start)}[data, ${run} characters]`;
    from = start + run;
    probe = from - 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}
