/** Of secrets with at least this many characters, some are shown. */
const shownFrom = 18;
const shownAtStart = 6;
const shownAtEnd = 4;

/** Characters that may be shown. Others could be half of an escape, or end the surrounding string. */
const plain = /^[\w.+/=~:-]+$/;

/**
 * Returns the standard mask of a secret: `***` below 18 characters; otherwise the first 6 characters and `...`, and also the
 * last 4 if that shows at most a third of the secret (from 30 characters on).
 */
export function maskSecret(secret: string): string {
  if (secret.length < shownFrom) return '***';
  const head = secret.slice(0, shownAtStart);
  const tail = (shownAtStart + shownAtEnd) * 3 <= secret.length ? secret.slice(-shownAtEnd) : '';
  return plain.test(head + tail) ? `${head}...${tail}` : '***';
}

/** Returns the newlines of a text, so that its mask has as many lines. */
export function newlinesOf(text: string): string {
  return text.includes('\n') ? text.replace(/[^\n]+/g, '') : '';
}
