import { isBlank, isQuote, isWord } from './characters.ts';
import type { NameBounds } from './name.ts';
import type { Source } from './source.ts';

/** A quoted value is followed this far; a longer one is judged as far as it has no space. */
const LONGEST = 4096;
/** Blanks between a name and its value, at most: aligned tables have many. */
const MOST_BLANKS = 48;
/** Escapes before a quote, at most: JSON nested four deep has 15. */
const MOST_ESCAPES = 15;

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
}

/** A type between a name and its `=`: `token: string = `, `var token string = `. */
const TYPE = /[ \t]{0,4}[A-Za-z][\w<>[\]|]{0,20}[ \t]{1,4}(?==|:=)/y;
/** A name that is itself a value, its own value beside it: `name: DB_PASSWORD, value: ...`, `<add key="Password" value="..."/>`. */
const PAIRED = /,?\s{0,40}["']?value["']?[ \t]{0,4}[:=]/y;

function skipBlanks(text: string, from: number): number {
  let index = from;
  while (index - from < MOST_BLANKS && isBlank(text.charCodeAt(index))) index += 1;
  return index;
}

/** Index behind a quote at `from`, with its escapes; `from` itself when none stands there. */
function skipQuote(text: string, from: number): number {
  let index = from;
  while (index - from < MOST_ESCAPES && text.charCodeAt(index) === 92) index += 1;
  return isQuote(text.charCodeAt(index)) ? index + 1 : from;
}

/** Index behind the operator at `from` (`=`, `:`, `=>`, `:=`, `?=`, `||`, ...), or -1. */
function skipOperator(text: string, from: number): number {
  let index = from;
  const first = text.charCodeAt(index);
  if (first === 61) {
    while (index - from < 3 && text.charCodeAt(index) === 61) index += 1;
    return text.charCodeAt(index) === 62 ? index + 1 : index;
  }
  if (first === 58) {
    while (index - from < 3 && text.charCodeAt(index) === 58) index += 1;
    if (text.charCodeAt(index) === 61) return index + 1;
    TYPE.lastIndex = index;
    return TYPE.test(text) ? skipOperator(text, TYPE.lastIndex) : index;
  }
  const second = text.charCodeAt(from + 1);
  if (first === 124 && second === 124) return text.charCodeAt(from + 2) === 61 ? from + 3 : from + 2;
  // `?=`, `.=`, `+=`
  return second === 61 && (first === 63 || first === 46 || first === 43) ? from + 2 : -1;
}

/**
 * Index where the quoted value ends that opened with `depth` backslashes; -1 when it does not on its line, or when
 * the string around it ends first: then the quote closed something and opened nothing.
 */
function closingQuote(source: Source, from: number, depth: number): number {
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

/** True when something is assigned behind the `&`, `,` or `;` at `at`: the value ends there. */
function goesOn(text: string, at: number, end: number): boolean {
  let index = at + 1;
  while (index < end && index - at < 40 && (isWord(text.charCodeAt(index)) || text.charCodeAt(index) === 46))
    index += 1;
  const code = text.charCodeAt(index);
  return index > at + 1 && (code === 61 || (code === 58 && text.charCodeAt(at) !== 38));
}

/** End of a bare value: where its surroundings go on (`&next=`, `;`, `, `), without the brackets that close them. */
export function bareEnd(source: Source, from: number, inQuery: boolean): number {
  const { text } = source;
  const runEnd = Math.min(source.runEnd(from), from + LONGEST);
  let end = from;
  for (; end < runEnd; end += 1) {
    const code = text.charCodeAt(end);
    const isSign = code === 38 || code === 59 || (inQuery ? code === 35 : code === 44);
    if (isSign && (inQuery || goesOn(text, end, runEnd))) break;
  }
  // A sentence's end is not the value's; the dots of a mask are.
  while (end > from && ',;.)]}'.includes(text[end - 1]!) && !text.startsWith('...', end - 3)) end -= 1;
  return end;
}

/** What follows a string in JSON: behind a quote it tells that the quote was a closing one (`["password=", 7]`). */
const AFTER_STRING = /[ \t]{0,8}[,:\]}]/y;

/** True when the quote before `start`, `depth` escapes deep, can open the value of a name with `keyQuote`. */
function opensValue(text: string, start: number, depth: number, keyQuote: string): boolean {
  if (keyQuote !== '') return depth >= keyQuote.length - 1;
  AFTER_STRING.lastIndex = start;
  return !AFTER_STRING.test(text);
}

/** Finds the value that belongs to a name; null when none does. */
export function placeOf(source: Source, name: NameBounds): Place | null {
  const { text } = source;
  const lead = text.charCodeAt(name.start - 1);
  const inQuery = lead === 63 || lead === 38 || lead === 35;
  const isFlag = text.charCodeAt(name.start) === 45;
  if (source.skipNames && !inQuery && !isFlag) return null;

  const afterQuote = skipQuote(text, name.end);
  const keyQuote = text.slice(name.end, afterQuote);
  const bracket = text.charCodeAt(afterQuote);
  const operatorAt = skipBlanks(text, bracket === 41 || bracket === 93 ? afterQuote + 1 : afterQuote);
  let from = skipOperator(text, operatorAt);
  let mustBeQuoted = false;
  if (from < 0) {
    const code = text.charCodeAt(operatorAt);
    if (code === 62 && lead === 60) {
      from = operatorAt + 1;
      while (from < text.length && from - operatorAt < MOST_BLANKS && text.charCodeAt(from) <= 32) from += 1;
    } else if (code === 44 || code === 10 || code === 13 || code === 118) {
      PAIRED.lastIndex = operatorAt;
      if (PAIRED.test(text)) from = PAIRED.lastIndex;
      else if (code !== 44 || keyQuote === '') return null;
      else {
        from = operatorAt + 1;
        mustBeQuoted = true;
      }
    } else if (operatorAt === name.end) {
      return null;
    } else if (isFlag) {
      from = operatorAt;
    } else {
      TYPE.lastIndex = operatorAt;
      if (!TYPE.test(text)) return null;
      from = skipOperator(text, TYPE.lastIndex);
    }
  }
  from = skipBlanks(text, from);
  const kind = inQuery ? 'query-parameter' : isFlag ? 'flag' : keyQuote !== '' ? 'field' : 'assignment';
  const isTight = operatorAt === name.end && text.charCodeAt(operatorAt) === 61;
  // A string's prefix: `b'...'`, `rf"..."`.
  let opening = from;
  while (opening - from < 2 && 'rbfuRBFU'.includes(text[opening] ?? ' ')) opening += 1;
  const start = skipQuote(text, opening);
  if (start > opening) {
    const depth = start - opening - 1;
    if (!opensValue(text, start, depth, keyQuote)) return null;
    const end = closingQuote(source, start, depth);
    if (end >= 0) return { kind, start, end, isQuoted: true, keyQuote, isTight };
    from = start;
  }
  // A list or an object beside a quoted name: its members speak for themselves.
  return mustBeQuoted || (keyQuote !== '' && '[{('.includes(text[from] ?? ' '))
    ? null
    : { kind, start: from, end: bareEnd(source, from, inQuery), isQuoted: false, keyQuote, isTight };
}
