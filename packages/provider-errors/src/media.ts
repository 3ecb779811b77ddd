import { countPattern, firstCount } from './count.ts';
import type { ErrorFacts } from './read-error.ts';

/** A refusal because of bytes or pixels. Figures are `null` unless the provider states them. */
export interface MediaRefusal {
  readonly of: 'request' | 'image';
  readonly bytes: number | null;
  readonly pixels: number | null;
  /** True when there are too many images, pages or files. Their sizes do not matter. */
  readonly isCount?: boolean;
}

const image: RegExp =
  /\b(?:images?|pictures?|photos?|media|pdf)\b(?: file| data| base64)*(?: dimensions?| pixels?| size)?(?: \([^)]{1,30}\))? (?:(?:is|are|was|were) )?(?:too (?:large|big)|exceeds?\b|larger than|bigger than|must be (?:less|smaller|under))|image_too_large|image[_ ]dimensions?|image[^.\n]{0,30}\d+ ?(?:x|×) ?\d+[^.\n]{0,30}exceed|image size[^.\n]{0,40}(?:max|limit|exceed)|\bpixels?\b[^.\n]{0,40}(?:exceed|limit|max)|图[片像](?:尺寸|大小|过大|超|文件)/;
const counted = String.raw`(?:images?(?:\(s\)|_urls?)?|pictures?|photos?|screenshots?|media|attachments?|documents?|(?:document|pdf) pages?)(?: content| url| input)?(?: (?:items?|files?|blocks?|parts?|inputs?|urls?))?`;
const bound = String.raw`(?:at most|no more than|not more than|more than|fewer than|less than|up to|only|max\w*|limit\w*|exceed\w*|over|above|supports?|allow\w*|accepts?|>)`;
/** Words between a count and its bound. Counts of tokens are about the window, also when the request has images. */
const between = (max: number): string => String.raw`(?:(?!token)[^.\n]){0,${max}}?`;
/** Sentences that say there are too many images, pages or files. */
const tooMany: readonly RegExp[] = [
  new RegExp(String.raw`\btoo (?:many|much) (?:(?!tokens)\w+ ){0,2}?(?:${counted}|pages)\b`),
  // "52 images, exceeding the maximum of 50", "25 provided images but only 20 are supported"
  new RegExp(
    String.raw`\b\d+ (?:\w+ )?${counted}${between(60)}${bound}${between(30)}\b\d+\b(?! ?(?:tokens?|x|×|px|pixels|[kmg]?i?b)\b)`,
  ),
  // "at most 5 image(s) may be provided", "supports up to 20 images", "more than 20 images"
  new RegExp(String.raw`${bound}(?: (?:of|is|are|to))? ?:? ?\d+ ${counted}(?!\w)(?! (?:\w+ )?tokens)`),
  // "number of images (52) exceeds 50", "image count exceeds the limit", "max images per prompt: 50"
  new RegExp(
    String.raw`(?:number|count|amount) of (?:\w+ )?${counted}\b${between(40)}${bound}|\b(?:image|picture|media|attachment|pdf page) (?:count|limit)\b${between(40)}${bound}`,
  ),
  /\bmax\w* (?:number of |of )?(?:allowed )?(?:images|pictures|pdf pages|attachments)\b|图[片像](?:数量|张数|过多)/,
];
const request: RegExp =
  /request[_ ](?:entity[_ ]|payload[_ ]|body[_ ])?(?:size )?(?:is )?too[_ ]large|(?:payload|content|entity|body)(?: size)?[_ ](?:is )?too[_ ]large|payload size exceeds|request exceeds the max\w* (?:allowed )?(?:size|number of bytes)|body exceeded|(?:exceeds?|exceeded|over)\b[^.\n]{0,30}?\b(?:request|body|payload|content|upload) (?:size|length|limit)|(?:request|body|payload|content)[^.\n]{0,20}(?:size|length)[^.\n]{0,20}exceeds?|message larger than max|length limit exceeded|exceeds?[^.\n]{0,40}\d ?(?:bytes|[km]i?b)\b|\berror(?: code)?:? 413\b|请求体(?:过大|超)/;

/** OpenAI's limit on the characters of one message. Limits below `fewestCharacters` are about other fields. */
const longString: RegExp = countPattern('expected a string with maximum length <limit>,? but got');
const minCharacters = 100_000;
const inBytes: readonly RegExp[] = [
  countPattern('> <limit> ?bytes'),
  countPattern('(?:limit|maximum|max)(?: of| is)?:? <limit> ?bytes'),
];
const inPixels: RegExp = /(\d{3,6}) ?(?:pixels|px)/;

/** Reads a refusal because of the size of a request or image; `null` when the error is about something else. */
export function mediaRefusal({ text, codes, status }: ErrorFacts): MediaRefusal | null {
  if (tooMany.some((pattern) => pattern.test(text))) return { of: 'image', bytes: null, pixels: null, isCount: true };
  if (image.test(text) || codes.has('image_too_large'))
    return { of: 'image', bytes: bytesIn(text), pixels: Number(inPixels.exec(text)?.[1] ?? 0) || null };
  const characters = firstCount([longString], text, 'limit');
  if (characters !== null && characters >= minCharacters) return { of: 'request', bytes: characters, pixels: null };
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
