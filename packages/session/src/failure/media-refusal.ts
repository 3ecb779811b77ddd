import type { ErrorFacts } from './error-facts.ts';
import { countOf, countPattern, firstMatch } from './token-number.ts';

/** A refusal for bytes or pixels; figures where the provider names them. */
export interface MediaRefusal {
  readonly of: 'request' | 'image';
  readonly bytes: number | null;
  readonly pixels: number | null;
}

const image: RegExp =
  /image (?:exceeds|base64 size|file (?:is )?too large|size (?:is )?(?:too large|exceeds)|too large|is too large|was too large)|image_too_large|image[_ ]?(?:dimensions?|pixels?) (?:exceed|too large)|too many (?:total )?(?:images|pages|documents)|maximum of \d+ (?:images|pdf pages)|(?:图片|图像)(?:尺寸|大小|过大|超)/i;

const request: RegExp =
  /request[_ ](?:entity[_ ]|payload[_ ]|body[_ ])?(?:is )?too[_ ]large|payload[_ ]too[_ ]large|payload size exceeds|request exceeds the maximum (?:allowed )?(?:size|number of bytes)|body exceeded|exceeds? (?:the )?max(?:imum)? (?:request|body|payload) size|message larger than max|content[_ ]?length.{0,20}exceeds|请求体(?:过大|超)/i;

/** OpenAI's limit on the characters of one message; shorter ones are about other fields. */
const longString: RegExp = countPattern('expected a string with maximum length <limit>,? but got');
const fewestCharacters = 100_000;

const inBytes: readonly RegExp[] = [
  countPattern('> <limit> ?bytes'),
  countPattern('(?:limit|maximum)(?: of)?:? <limit> ?bytes'),
];
const inMegabytes: RegExp = /(\d{1,4}(?:\.\d{1,2})?) ?(?:MB|MiB)\b/i;
const inPixels: RegExp = /(\d{3,6}) ?(?:pixels|px)/i;

/** Reads a refusal for the size of the request or of a picture; `null` when it is about something else. */
export function mediaRefusal({ text, codes, status }: ErrorFacts): MediaRefusal | null {
  if (image.test(text) || codes.has('image_too_large'))
    return { of: 'image', bytes: bytesIn(text), pixels: Number(inPixels.exec(text)?.[1] ?? 0) || null };
  const characters = countOf(longString.exec(text)?.groups?.limit);
  if (characters !== null && characters >= fewestCharacters) return { of: 'request', bytes: characters, pixels: null };
  if (status === 413 || request.test(text) || codes.has('request_too_large'))
    return { of: 'request', bytes: bytesIn(text), pixels: null };
  return null;
}

function bytesIn(text: string): number | null {
  const bytes = firstMatch(inBytes, text)?.limit;
  if (bytes != null) return bytes;
  // The last figure is the limit: "(8.4 MB) exceeds API limit (5.0 MB)".
  const all = [...text.matchAll(new RegExp(inMegabytes.source, 'gi'))];
  const last = all.at(-1)?.[1];
  return last === undefined ? null : Math.round(Number(last) * 1024 * 1024);
}
