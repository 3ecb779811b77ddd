import { countPattern, firstCount } from './count.ts';
import type { ErrorFacts } from './read-error.ts';

/** A refusal because of bytes or pixels. Figures are `null` unless the provider states them. */
export interface MediaRefusal {
  readonly of: 'request' | 'image';
  readonly bytes: number | null;
  readonly pixels: number | null;
}

const image: RegExp =
  /\b(?:images?|pictures?|photos?|media|pdf)\b(?: file| data| base64)*(?: dimensions?| pixels?| size)?(?: \([^)]{1,30}\))? (?:(?:is|are|was|were) )?(?:too (?:large|big)|exceeds?\b|larger than|bigger than|must be (?:less|smaller|under))|image_too_large|image[_ ]dimensions?|image[^.\n]{0,30}\d+ ?(?:x|×) ?\d+[^.\n]{0,30}exceed|too many (?:total )?(?:images|pages|documents)|max\w* (?:of |number of )?(?:\d+ )?(?:images|pdf pages|image)|image size[^.\n]{0,40}(?:max|limit|exceed)|\bpixels?\b[^.\n]{0,40}(?:exceed|limit|max)|图[片像](?:尺寸|大小|过大|超|文件)/;
const request: RegExp =
  /request[_ ](?:entity[_ ]|payload[_ ]|body[_ ])?(?:size )?(?:is )?too[_ ]large|(?:payload|content|entity|body)(?: size)?[_ ](?:is )?too[_ ]large|payload size exceeds|request exceeds the max\w* (?:allowed )?(?:size|number of bytes)|body exceeded|(?:exceeds?|exceeded|over)\b[^.\n]{0,30}?\b(?:request|body|payload|content|upload) (?:size|length|limit)|(?:request|body|payload|content)[^.\n]{0,20}(?:size|length)[^.\n]{0,20}exceeds?|message larger than max|length limit exceeded|exceeds?[^.\n]{0,40}\d ?(?:bytes|[km]i?b)\b|\berror(?: code)?:? 413\b|请求体(?:过大|超)/;

/** OpenAI's limit on the characters of one message. Limits below `fewestCharacters` are about other fields. */
const longString: RegExp = countPattern('expected a string with maximum length <limit>,? but got');
const fewestCharacters = 100_000;
const inBytes: readonly RegExp[] = [
  countPattern('> <limit> ?bytes'),
  countPattern('(?:limit|maximum|max)(?: of| is)?:? <limit> ?bytes'),
];
const inPixels: RegExp = /(\d{3,6}) ?(?:pixels|px)/;

/** Reads a refusal because of the size of a request or image; `null` when the error is about something else. */
export function mediaRefusal({ text, codes, status }: ErrorFacts): MediaRefusal | null {
  if (image.test(text) || codes.has('image_too_large'))
    return { of: 'image', bytes: bytesIn(text), pixels: Number(inPixels.exec(text)?.[1] ?? 0) || null };
  const characters = firstCount([longString], text, 'limit');
  if (characters !== null && characters >= fewestCharacters) return { of: 'request', bytes: characters, pixels: null };
  if (status === 413 || request.test(text) || codes.has('request_too_large'))
    return { of: 'request', bytes: bytesIn(text), pixels: null };
  return null;
}

function bytesIn(text: string): number | null {
  const bytes = firstCount(inBytes, text, 'limit');
  if (bytes !== null) return bytes;
  // The last figure is the limit: "(8.4 MB) exceeds API limit (5.0 MB)".
  const last = [...text.matchAll(/(\d{1,4}(?:\.\d{1,2})?) ?(?:mb|mib)\b/g)].at(-1)?.[1];
  return last === undefined ? null : Math.round(Number(last) * 1024 * 1024);
}
