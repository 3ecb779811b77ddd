import { isDigit, isLetter, isLower, isUpper, isWord } from './characters.ts';

/**
 * How much a name says. `password`: whatever stands beside it is secret unless it is a stand-in. `token`: a
 * value with letters and digits is. `key`: the word has harmless uses, the value must look random.
 */
export type Strength = 'password' | 'token' | 'key';

/** Words that make a name a secret's name, at a word boundary in it. */
export const NAME_WORDS: Readonly<Record<string, Strength>> = {
  password: 'password',
  passwd: 'password',
  passwort: 'password',
  passphrase: 'password',
  pwd: 'password',
  pass: 'password',
  secret: 'token',
  token: 'token',
  credential: 'token',
  credentials: 'token',
  creds: 'token',
  apikey: 'token',
  jwt: 'token',
  key: 'key',
  auth: 'key',
  login: 'key',
  cookie: 'key',
  session: 'key',
  signature: 'key',
  sig: 'key',
  code: 'key',
  assertion: 'key',
};

/** Before `key`: what makes it a secret's name. */
const SECRET_KEYS =
  /(?:^|[^a-z])?(?:api|access|secret|private|auth|master|signing|encryption|license|licence|service|account|subscription|deploy|token|client|consumer|shared|storage|admin|app|application|hmac|webhook|jwt|session|ssh|write|read|rest|server|ingest|integration|personal|publishable|x)$/;
/** Before any of the words: what makes a name harmless. */
const HARMLESS_BEFORE =
  /(?:primary|foreign|public|cache|sort|partition|row|map|hash|index|object|group|composite|unique|next|page|continuation|cursor|sync|max|min|num|eos|bos|pad|unk|mask|special|stop|start|end|sub|lookup|dict|hot|arrow|idempotency|status|error|exit|country|zip|postal|language|response|return|http|source|qr|bar|git|promo|version|area|currency|order)$/;
const GLUED_BEFORE =
  /(?:api|access|auth|secret|private|refresh|bot|user|app|client|id|session|bearer|db|my|x|service|account|master|root|admin)$/;

/** After the word: still the same thing's name. */
const SAME_AFTER =
  /^(?:[\W_]*(?:\d+|value|raw|string|text|plain|plaintext|prod|production|staging|stage|dev|development|test|live|main|primary|secondary|old|new|current|default|base64|b64|base|enc|encoded|env|here|v\d+|[a-z]))*$/;
const HARMLESS_AFTER =
  /(?:^|[\W_])(?:id|ids|type|types|count|counts|url|uri|path|file|files|filename|name|names|length|len|size|limit|limits|ttl|expiry|expires|expiration|expire|age|version|algorithm|alg|hash|digest|policy|arn|endpoint|address|prefix|suffix|hint|field|fields|label|provider|manager|store|header|headers|index|bits|usage|budget|ratio|rate|required|enabled|format|pattern|regex|schema|spec|ref|reference|mode|method|function|handler|callback|error|status|state|code|list|set|map|mapping|class|column|row|generator|validator|validation|strength|reset|change|changed|updated|created|rotation|time|date|timestamp|at|in|for|is|has|host|port|user|username|title|description|message|placeholder|encoder|decoder|embedding|embeddings|ring|board|word|words|stroke|down|up|press|event|code|space|point|frame|frames)(?:$|[\W_])/;

export interface Name {
  readonly start: number;
  readonly end: number;
  readonly strength: Strength;
  /** True when words follow that this module does not know: the value must be beyond doubt. */
  readonly doubtful: boolean;
}

/** A name is looked at this far to either side of its word. */
const REACH = 64;

const inName = (code: number): boolean => isWord(code) || code === 45 || code === 46;

/** Camel case and dashes become underscores, so that words can be told apart: `clientSecret` -> `client_secret`. */
const spread = (part: string): string => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/**
 * Reads the name around a word of {@link NAME_WORDS} at `at`; null when the word does not stand at a word
 * boundary in it (`tokenizer`, `Secretary`, `tokens`) or its neighbours make it harmless (`primary_key`, `token_count`).
 */
export function nameAt(text: string, at: number, length: number): Name | null {
  const word = text.slice(at, at + length);
  const strength = NAME_WORDS[word.toLowerCase()]!;
  const next = text.charCodeAt(at + length);
  const last = word.charCodeAt(length - 1);
  if (isLower(next) || (isUpper(next) && isUpper(last))) return null;

  let start = at;
  while (start > 0 && at - start < REACH && inName(text.charCodeAt(start - 1))) start -= 1;
  let end = at + length;
  while (end < text.length && end - at < REACH && inName(text.charCodeAt(end))) end += 1;
  while (end > at + length && !isWord(text.charCodeAt(end - 1))) end -= 1;

  const previous = text.charCodeAt(at - 1);
  const before = text.slice(start, at);
  const glued = at > start && isLetter(previous) && !(isLower(previous) && isUpper(word.charCodeAt(0)));
  const lead = spread(before).replace(/[\W_]+$/, '');
  if (
    glued &&
    !(strength === 'password' && word.length > 4) &&
    !GLUED_BEFORE.test(lead) &&
    !escapeEnds(text, start, at)
  ) {
    return null;
  }
  if (HARMLESS_BEFORE.test(lead)) return null;

  const after = spread(text.slice(at + length, end));
  if (after !== '' && HARMLESS_AFTER.test(after)) return null;
  const doubtful = after !== '' && !SAME_AFTER.test(after);
  let real: Strength = strength;
  if (strength === 'key' && word.toLowerCase() === 'key') {
    // `API key: ...` in prose: the word before stands behind a space.
    const phrase = lead === '' && text[at - 1] === ' ' ? spread(text.slice(Math.max(0, at - 16), at - 1)) : lead;
    if (SECRET_KEYS.test(phrase)) real = 'token';
  }
  return { start, end, strength: real, doubtful };
}

/** True when the letter before the word belongs to an escape (`\nTOKEN=`). */
function escapeEnds(text: string, start: number, at: number): boolean {
  return start === at - 1 && isDigit(text.charCodeAt(at - 1)) === false && text[start - 1] === '\\';
}
