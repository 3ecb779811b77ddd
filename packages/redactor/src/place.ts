import { isWord } from './characters.ts';
import type { NameBounds } from './name.ts';
import type { Source } from './source.ts';
import { endAt, matchAt, startsAt } from './sticky.ts';

/** A quoted value is followed this far; a longer one is judged as far as it has no space. */
const LONGEST = 4096;
/** Where a value stands, and what surrounds it. */
export interface Place {
  readonly kind: 'assignment' | 'field' | 'flag' | 'query-parameter';
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** The quote around the name, with its escapes; empty when there is none. */
  readonly keyQuote: string;
  /** True for `=` straight behind the name. */
  readonly isTight: boolean;
  /** How the value follows the name: `sure` after an operator, `listed` after a comma, `beside` without either. */
  readonly evidence: 'sure' | 'listed' | 'beside';
}

/** Behind a name: its closing quote with its escapes (JSON nested four deep has 15), a bracket, blanks (aligned tables have many). */
const GAP = /(\\{0,15}["'`])?[)\]]?\*{0,2}[ \t]{0,48}/y;
/** `=`, `:`, `=>`, `:=`, `?=`, `||`..., with a type before or behind: `var token string =`, `token: string =`. */
const OPERATOR =
  /(?:[A-Za-z][\w<>[\]|]{0,20}[ \t]{1,4}(?=:?=))?(?:={1,3}>?|:{1,3}=|:{1,2}(?:[ \t]{0,4}[A-Za-z][\w<>[\]|]{0,20}[ \t]{1,4}:?=)?|[：＝]|[?.+]=|\|\|=?)[ \t]{0,48}/y;
/** A name that is itself a value, its own value beside it: `name: DB_PASSWORD, value: ...`, `<add key="Password" value="..."/>`. */
const PAIRED = /,?\s{0,40}["']?value["']?[ \t]{0,4}[:=][ \t]{0,4}/y;
/** Field that holds the value of a block: `variable "password" { default = "..." }`, `"password": {"value": "..."}`. */
const VALUE_FIELD = /\b(?:value|default)(?:\\{0,15}["'])?[ \t]{0,8}[:=][ \t]{0,8}/;
/** Characters of a block searched for that field. */
const NESTED_REACH = 400;
/** YAML: the value begins on the next line. */
const NEXT_LINE = /[|>][+-]?\d?[ \t]{0,8}(?:\r?\n|\\{1,8}n)[ \t]{1,80}/y;
/** Text between a name and the opening quote of its value: `PASSWORD 'x'`, `password("x")`. */
const BESIDE = /\(?[ \t]{0,4}(?=["'`])/y;
/** The quote a value opens with, with its escapes, behind a string's prefix (`b'...'`, `rf"..."`). */
const OPENING = /[rbfu]{0,2}(\\{0,15})["'`]/iy;

/**
 * Index where the quoted value ends that opened with `depth` backslashes; -1 when it does not on its line, or when
 * the string around it ends first: then the quote closed something and opened nothing.
 */
export function closingQuote(source: Source, from: number, depth: number): number {
  const { text } = source;
  const quote = text[from - 1]!;
  const limit = Math.min(from + LONGEST, source.next('\n', from));
  let index = source.next(quote, from);
  while (index < limit) {
    let escapes = 0;
    while (index - escapes > from && text.charCodeAt(index - escapes - 1) === 92) escapes += 1;
    // A string `depth` escapes deep writes its own backslashes in groups of twice as many and one: what is left over
    // of them belongs to the quote.
    const own = escapes % (2 * depth + 2);
    if (own <= depth) return own === depth ? index - depth : -1;
    index = source.next(quote, index + 1);
  }
  return -1;
}

/** A bare value in a query, and elsewhere: a sign behind which something else is assigned ends it. No longer than {@link LONGEST}. */
const IN_QUERY = /[^\0- "'`\\<>\xa0&;#]{0,4096}/y;
const ELSEWHERE = /(?:[^\0- "'`\\<>\xa0&;,]|&(?![\w.]{1,39}=)|[;,](?![\w.]{1,39}[=:])){0,4096}/y;

/** End of a bare value: where its surroundings go on (`&next=`, `;`, `, `), without the brackets that close them. */
export function bareEnd(text: string, from: number, inQuery: boolean): number {
  let end = endAt(inQuery ? IN_QUERY : ELSEWHERE, text, from);
  // A sentence's end is not the value's; the dots of a mask are.
  while (end > from && ',;:.)]}*'.includes(text[end - 1]!) && !text.startsWith('...', end - 3)) end -= 1;
  return end;
}

/** The next field of a form. */
const NEXT_FIELD = /&[\w.%[\]-]{1,40}=/y;
/** Markdown bold marks around a value, or around a name and its colon. */
const BOLD = /\*\*[ \t]{0,4}/y;

/** Between an element's tag and its text. */
const BLANKS = /\s{0,48}/y;

/** What follows a string in JSON: behind a quote it tells that the quote was a closing one (`["password=", 7]`). */
const AFTER_STRING = /[ \t]{0,8}[,:\]}]/y;

/** True when the quote before `start`, `depth` escapes deep, can open the value of a name with `keyQuote`. */
function opensValue(text: string, start: number, depth: number, keyQuote: string): boolean {
  if (keyQuote !== '') return depth >= keyQuote.length - 1;
  return !startsAt(AFTER_STRING, text, start);
}

/** Two more words: no operator follows. Most names of secrets stand in sentences, and this tells soonest. */
const PROSE = /\s[A-Za-z]\w{0,20}\s[A-Za-z]/y;

/** Start of the value of the block that opens at `from`; -1 when it has none. */
function nestedValue(text: string, from: number): number {
  const block = text.slice(from + 1, from + NESTED_REACH).split(/[{}]/, 1)[0]!;
  const found = VALUE_FIELD.exec(block);
  return found ? from + 1 + found.index + found[0].length : -1;
}

/** Finds the value that belongs to a name; null when none does. */
export function placeOf(source: Source, name: NameBounds): Place | null {
  const { text } = source;
  const lead = text.charCodeAt(name.start - 1);
  const inQuery = lead === 63 || lead === 35 || (lead === 38 && text.charCodeAt(name.start - 2) !== 38);
  const isFlag = text.charCodeAt(name.start) === 45;
  if (source.skipNames && !inQuery && !isFlag) return null;
  if (!isFlag && startsAt(PROSE, text, name.end)) return null;

  // `NAME=value`, the most frequent of all.
  const isPlain = text.charCodeAt(name.end) === 61 && isWord(text.charCodeAt(name.end + 1));
  const keyQuote = isPlain ? '' : (matchAt(GAP, text, name.end)![1] ?? '');
  const operatorAt = isPlain ? name.end : GAP.lastIndex;
  const code = text.charCodeAt(operatorAt);
  let evidence: Place['evidence'] = 'sure';
  let mustBeQuoted = false;
  let from = operatorAt;
  if (isPlain) from += 1;
  else if (startsAt(OPERATOR, text, operatorAt)) {
    from = OPERATOR.lastIndex;
    // A comparison counts only with a quoted value.
    mustBeQuoted = code === 61 && text.charCodeAt(operatorAt + 1) === 61;
  } else if (startsAt(PAIRED, text, operatorAt)) from = PAIRED.lastIndex;
  else if (code === 44 && keyQuote !== '') {
    from += text[from + 1] === ' ' ? 2 : 1;
    mustBeQuoted = true;
    if (
      keyQuote === '`' ||
      ':='.includes(
        text
          .slice(0, name.start - keyQuote.length)
          .trimEnd()
          .at(-1) ?? ' ',
      )
    )
      return null;
    if (text[name.start - keyQuote.length - 1] !== '(') evidence = 'listed';
  } else if (code === 62 && lead === 60) {
    from = endAt(BLANKS, text, from + 1);
  } else if (keyQuote === '' && operatorAt > name.end - 1 && startsAt(BESIDE, text, operatorAt) && !isFlag) {
    from = BESIDE.lastIndex;
    mustBeQuoted = true;
    evidence = 'beside';
  } else if (code !== 123 && (!isFlag || operatorAt === name.end)) return null;
  if (text.startsWith('**', from)) from = endAt(BOLD, text, from);
  const nested = text[from] === '{' ? nestedValue(text, from) : -1;
  if (nested >= 0) {
    from = nested;
    mustBeQuoted = true;
  } else if (startsAt(NEXT_LINE, text, from)) from = NEXT_LINE.lastIndex;
  const kind = inQuery ? 'query-parameter' : isFlag ? 'flag' : keyQuote !== '' ? 'field' : 'assignment';
  const isTight = operatorAt === name.end && code === 61;
  const opening = matchAt(OPENING, text, from);
  if (opening) {
    const start = OPENING.lastIndex;
    const depth = opening[1]!.length;
    if (!opensValue(text, start, depth, keyQuote)) return null;
    const end = closingQuote(source, start, depth);
    if (end >= 0) return { kind, start, end, isQuoted: true, keyQuote, isTight, evidence };
    from = start;
  }
  // A list or an object beside a quoted name: its members speak for themselves.
  if (mustBeQuoted || '[{('.includes(text[from] ?? ' ')) return null;
  const end = bareEnd(text, from, inQuery);
  // The first field of a form has nothing before it, but another field after it.
  const isForm = isTight && startsAt(NEXT_FIELD, text, end) && !/[(){};,]/.test(text.slice(from, end));
  return { kind: isForm ? 'query-parameter' : kind, start: from, end, isQuoted: false, keyQuote, isTight, evidence };
}
