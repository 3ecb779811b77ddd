import { isLetter, isUpper } from '../scan/characters.ts';
import { looksRandom, maxJudgedLength, statsOf } from './looks-random.ts';

const code = /^[!&*]?[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*(?:!?[([]|\?\.|::|->)/;
const dotted = /^[A-Za-z_$]\w*(?:\.[A-Za-z_$]\w*)+$/;
/** A borrowed type (`&str`, `&'a str`) or a pointer. */
const reference = /^[&*]'?[A-Za-z_][\w:]*$/;
const path = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)[\w.@ /\\-]*$|^[a-z]{1,24}:\/\//;
/** Relative path, such as `uploads/2024/report.pdf`. Base64 with a slash matches too, so callers check further. */
const relativePath = /^[\w.@ -]{1,80}\/[\w.@ /-]{0,255}$/;
const hasExtension = /\.[A-Za-z]\w{0,6}$/;
/** Blockchain address, memory address or hexadecimal number. */
const address = /^0x[\da-f]{1,40}$/i;
/** Identifier of several parts, such as `agent:main:group:7`. */
const structured = /^[a-z]{2,20}(?::[\w.@-]{0,40}){2,12}$/i;

/** True for an unquoted value that is an expression: a call, an index, a dotted name. */
export function isExpression(value: string): boolean {
  const judged = value.slice(0, maxJudgedLength);
  if (reference.test(judged)) return !looksRandom(judged, 12);
  return code.test(judged) || (dotted.test(judged) && !looksRandom(judged, 24));
}

/** True for a file path or a URL, which may point to a secret but is not one. */
export function isLocation(value: string): boolean {
  const judged = value.slice(0, maxJudgedLength);
  if (!path.test(judged)) return false;
  // Random base64 may begin with a slash too. A path has words between its slashes.
  return !looksRandom(judged.replace(/\//g, ''), 24) || judged.includes('.') || isLetter(judged.charCodeAt(0));
}

/** True for harmless values of names such as `key` and `token`: a path in a bucket, an address, a compound name. */
export function isIdentifier(value: string): boolean {
  const judged = value.slice(0, maxJudgedLength);
  if (address.test(judged)) return true;
  if (structured.test(judged)) return judged.split(':').every((part) => !looksRandom(part, 20));
  return relativePath.test(judged) && (hasExtension.test(judged) || !looksRandom(judged.replace(/\//g, ''), 24));
}

/** Camel case with few digits. At least one capitalized word is required: all lower case could be a token. */
const camelCase = /^[a-z_$]{0,40}(?:\d[a-z]{1,40})?(?:[A-Z][a-z]{1,40}\d{0,2}){1,12}$/;

/** True for a camel-case identifier such as `isApiKeyProvider`: its words average four letters, unlike random text. */
export function isCamelCase(value: string): boolean {
  if (value.length > 80 || !camelCase.test(value)) return false;
  const { upper, digits, length } = statsOf(value);
  return length >= 4 * (upper + Number(!isUpper(value.charCodeAt(0)))) && digits <= 2;
}

const sentenceWords =
  /(?:^|[ '"])(?:the|a|an|is|are|was|must|should|to|be|not|no|of|for|and|or|in|on|at|with|your|you|my|this|that|it|please|enter|invalid|incorrect|wrong|required|forgot|reset|new|old|confirm|current|repeat|change|choose|show|hide|least|characters|all|tests?)(?:$|[ '".,:;!?])/i;

/** At least four words, the first of them capitalized. */
const capitalised = /^[A-Z][a-z]{0,32} \S{1,32} [a-z]\S{0,32} \S/;

/** True for the text of a label or message (`Enter your password`), but not for a passphrase of random words. */
export function isSentence(value: string): boolean {
  const isWords = /^\S+ \S/.test(value) && (sentenceWords.test(value) || capitalised.test(value));
  return isWords && !looksRandom(value.replace(/\s/g, ''), 16);
}
