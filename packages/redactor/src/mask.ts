/** Below this length nothing of a secret is shown. */
const SHOWN_FROM = 18;
const HEAD = 6;
const TAIL = 4;

/** Anything else may be half of an escape or end a string where it is written: then nothing is shown. */
const PLAIN = /^[\w.+/=~:-]+$/;

/**
 * The standard mask: `***` below 18 characters; else the first 6 characters and `...`, and the last 4 as well
 * when that shows no more than a third (from 30 characters on).
 */
export function maskSecret(secret: string): string {
  if (secret.length < SHOWN_FROM) return '***';
  const head = secret.slice(0, HEAD);
  const tail = (HEAD + TAIL) * 3 <= secret.length ? secret.slice(-TAIL) : '';
  return PLAIN.test(head + tail) ? `${head}...${tail}` : '***';
}

/** As many newlines as stand in `text`: what is masked keeps its lines. */
export function newlinesOf(text: string): string {
  return text.includes('\n') ? text.replace(/[^\n]+/g, '') : '';
}
