import { isBlank, isLetter, isWord } from '../scan/characters.ts';
import type { SearchState } from '../scan/search-state.ts';
import { endAt, matchAt, startsAt } from '../scan/sticky.ts';
import type { NameBounds } from './secret-name.ts';

/** Longest quoted value, in characters. A longer one is treated as unquoted. */
const maxValueLength = 4096;
/** The value found next to a name, and how it is written. */
export interface FoundValue {
  readonly kind: 'assignment' | 'field' | 'flag' | 'query-parameter';
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** The quote after the name, with its escapes; empty if there is none. */
  readonly keyQuote: string;
  /** True if `=` directly follows the name. */
  readonly isTight: boolean;
  /** What connects the value to the name: `sure` for an operator, `listed` for a comma, `beside` for neither. */
  readonly evidence: 'sure' | 'listed' | 'beside';
}

/** Text between a name and its operator: closing quote with escapes (15 in JSON nested four deep), bracket, blanks. */
const gap = /(\\{0,15}["'`])?[)\]]?\*{0,2}[ \t]{0,48}/y;
/** `=`, `:`, `=>`, `:=`, `?=`, `||=`, with an optional type on either side: `var token string =`, `token: string =`. */
const operator =
  /(?:[A-Za-z][\w<>[\]|]{0,20}[ \t]{1,4}(?=:?=))?(?:={1,3}>?|:{1,3}=|:{1,2}(?:[ \t]{0,4}[A-Za-z][\w<>[\]|]{0,20}[ \t]{1,4}:?=)?|[：＝]|[?.+]=|\|\|=?)[ \t]{0,48}/y;
/** Follows a name that is itself a field's value: `name: DB_PASSWORD, value: ...`, `<add key="Password" value="..."/>`. */
const paired = /,?\s{0,40}["']?value["']?[ \t]{0,4}[:=][ \t]{0,4}/y;
/** The field of a block that contains its value: `variable "password" { default = "..." }`, `"password": {"value": "..."}`. */
const valueField = /\b(?:value|default)(?:\\{0,15}["'])?[ \t]{0,8}[:=][ \t]{0,8}/;
/** Number of characters of a block that are searched for that field. */
const nestedReach = 400;
/** A YAML block scalar, whose value begins on the next line. */
const nextLine = /[|>][+-]?\d?[ \t]{0,8}(?:\r?\n|\\{1,8}n)[ \t]{1,80}/y;
/** Text between a name and the opening quote of its value: `PASSWORD 'x'`, `password("x")`. */
const beside = /\(?[ \t]{0,4}(?=["'`])/y;
/** The opening quote of a value with its escapes, after an optional string prefix (`b'...'`, `rf"..."`). */
const openingPattern = /[rbfu]{0,2}(\\{0,15})["'`]/iy;

/**
 * End of a quoted value whose opening quote has `depth` backslashes. Returns -1 if the value does not end on its line, or if
 * the surrounding string ends first, since the quote is then a closing one.
 */
export function closingQuote(state: SearchState, from: number, depth: number): number {
  const { text } = state;
  const quote = text[from - 1]!;
  const limit = Math.min(from + maxValueLength, state.next('\n', from));
  let index = state.next(quote, from);
  while (index < limit) {
    let escapes = 0;
    while (index - escapes > from && text.charCodeAt(index - escapes - 1) === 92) escapes += 1;
    // Inside such a string, a literal backslash is written as 2 * depth + 2 backslashes. The remainder belongs to the quote.
    const own = escapes % (2 * depth + 2);
    if (own <= depth) return own === depth ? index - depth : -1;
    index = state.next(quote, index + 1);
  }
  return -1;
}

/** An unquoted value in a query: `&`, `;` and `#` end it. At most {@link maxValueLength} characters. */
const inQueryPattern = /[^\0- "'`\\<>\xa0&;#]{0,4096}/y;
/** An unquoted value elsewhere: `&`, `;` and `,` end it only if another assignment follows. */
const elsewhere = /(?:[^\0- "'`\\<>\xa0&;,]|&(?![\w.]{1,39}=)|[;,](?![\w.]{1,39}[=:])){0,4096}/y;

/** End of an unquoted value, without trailing punctuation and closing brackets. */
export function bareEnd(state: SearchState, from: number, inQuery: boolean): number {
  const { text } = state;
  let end = state.endOf(inQuery ? inQueryPattern : elsewhere, from, maxValueLength);
  // Trailing punctuation belongs to the surrounding sentence, but the dots of a mask belong to the value.
  while (end > from && ',;:.)]}*'.includes(text[end - 1]!) && !text.startsWith('...', end - 3)) end -= 1;
  return end;
}

/** Start of the next field of a form. */
const nextField = /&[\w.%[\]-]{1,40}=/y;
/** Markdown bold marks around a value, or around a name and its colon. */
const bold = /\*\*[ \t]{0,4}/y;

/** White space between an XML tag and its text. */
const blanks = /\s{0,48}/y;

/** Text that follows a string in JSON. After a quote, it shows that the quote was a closing one (`["password=", 7]`). */
const afterString = /[ \t]{0,8}[,:\]}]/y;

/** True if the quote before `start`, which has `depth` escapes, can open the value of a name with `keyQuote`. */
function opensValue(text: string, start: number, depth: number, keyQuote: string): boolean {
  if (keyQuote !== '') return depth >= keyQuote.length - 1;
  return !startsAt(afterString, text, start);
}

/** Text after a word that makes it the type of a value, or the name of a field with one. */
const afterWord = ':="\'<>[]|';

/**
 * True if a word follows a name that ends at `at`, and no sign that connects a value follows the word: the name is part of a
 * sentence, and has no value. A quick test that settles most cases.
 */
export function isInSentence(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 32 || !isLetter(text.charCodeAt(at + 1))) return false;
  let end = at + 2;
  while (isWord(text.charCodeAt(end))) end += 1;
  while (isBlank(text.charCodeAt(end))) end += 1;
  return end >= text.length || !afterWord.includes(text.charAt(end));
}

/** Start of the value inside the block that opens at `from`, or -1. */
function findNestedValue(text: string, from: number): number {
  const block = text.slice(from + 1, from + nestedReach).split(/[{}]/, 1)[0]!;
  const found = valueField.exec(block);
  return found ? from + 1 + found.index + found[0].length : -1;
}

/** How a value is connected to its name. */
interface Connection extends Pick<FoundValue, 'keyQuote' | 'isTight' | 'evidence'> {
  /** Where the value begins. */
  readonly from: number;
  readonly mustBeQuoted: boolean;
}

/** True if a quoted name is itself a value, or is code in a sentence: a comma after it does not connect it to a value. */
function isListItem(text: string, start: number, keyQuote: string): boolean {
  if (keyQuote === '`') return true;
  const before = text.slice(0, start - keyQuote.length).trimEnd();
  return ':='.includes(before.at(-1) ?? ' ');
}

/** Finds the operator, comma or tag that connects a name to a value, or null. */
function connectionOf(text: string, name: NameBounds, isFlag: boolean): Connection | null {
  // `NAME=value` is the most frequent form.
  const isPlain = text.charCodeAt(name.end) === 61 && isWord(text.charCodeAt(name.end + 1));
  const keyQuote = isPlain ? '' : (matchAt(gap, text, name.end)![1] ?? '');
  const operatorAt = isPlain ? name.end : gap.lastIndex;
  const code = text.charCodeAt(operatorAt);
  let evidence: FoundValue['evidence'] = 'sure';
  let mustBeQuoted = false;
  let from = operatorAt;
  if (isPlain) from += 1;
  else if (startsAt(operator, text, operatorAt)) {
    from = operator.lastIndex;
    // A comparison counts only with a quoted value.
    mustBeQuoted = code === 61 && text.charCodeAt(operatorAt + 1) === 61;
  } else if (startsAt(paired, text, operatorAt)) from = paired.lastIndex;
  else if (code === 44 && keyQuote !== '') {
    if (isListItem(text, name.start, keyQuote)) return null;
    from += text[from + 1] === ' ' ? 2 : 1;
    mustBeQuoted = true;
    if (text[name.start - keyQuote.length - 1] !== '(') evidence = 'listed';
  } else if (code === 62 && text.charCodeAt(name.start - 1) === 60) {
    from = endAt(blanks, text, from + 1);
  } else if (keyQuote === '' && operatorAt > name.end - 1 && startsAt(beside, text, operatorAt) && !isFlag) {
    from = beside.lastIndex;
    mustBeQuoted = true;
    evidence = 'beside';
  } else if (code !== 123 && (!isFlag || operatorAt === name.end)) return null;
  return { from, mustBeQuoted, keyQuote, isTight: operatorAt === name.end && code === 61, evidence };
}

/** Finds the value that belongs to a name, or null. */
export function findValue(state: SearchState, name: NameBounds): FoundValue | null {
  const { text } = state;
  const lead = text.charCodeAt(name.start - 1);
  const inQuery = lead === 63 || lead === 35 || (lead === 38 && text.charCodeAt(name.start - 2) !== 38);
  const isFlag = text.charCodeAt(name.start) === 45;
  if (state.skipNames && !inQuery && !isFlag) return null;
  if (!isFlag && isInSentence(text, name.end)) return null;

  const connection = connectionOf(text, name, isFlag);
  if (connection === null) return null;
  const { keyQuote, isTight, evidence } = connection;
  let { from, mustBeQuoted } = connection;
  if (text.startsWith('**', from)) from = endAt(bold, text, from);
  const nested = text[from] === '{' ? findNestedValue(text, from) : -1;
  if (nested >= 0) {
    from = nested;
    mustBeQuoted = true;
  } else if (startsAt(nextLine, text, from)) from = nextLine.lastIndex;
  const kind = inQuery ? 'query-parameter' : isFlag ? 'flag' : keyQuote !== '' ? 'field' : 'assignment';
  const opening = matchAt(openingPattern, text, from);
  if (opening) {
    const start = openingPattern.lastIndex;
    const depth = opening[1]!.length;
    if (!opensValue(text, start, depth, keyQuote)) return null;
    const end = closingQuote(state, start, depth);
    if (end >= 0) return { kind, start, end, isQuoted: true, keyQuote, isTight, evidence };
    from = start;
  }
  // Lists and objects are not values: their members are judged one by one.
  if (mustBeQuoted || '[{('.includes(text[from] ?? ' ')) return null;
  const end = bareEnd(state, from, inQuery);
  // The first field of a form is recognized by the field after it.
  const isForm = isTight && startsAt(nextField, text, end) && !/[(){};,]/.test(text.slice(from, end));
  return { kind: isForm ? 'query-parameter' : kind, start: from, end, isQuoted: false, keyQuote, isTight, evidence };
}
