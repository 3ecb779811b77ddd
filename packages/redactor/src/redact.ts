import { dumpSpans } from './dumps.ts';
import { type Finding, mergeSpans, type Span } from './finding.ts';
import { reveal } from './hidden.ts';
import { maskSecret, newlinesOf } from './mask.ts';
import { redactInside, type TextRedactor } from './messages/messages.ts';
import { createPlainSearch } from './plain-search.ts';
import type { Rule } from './rules/user-rule.ts';

/** Options of one call. */
export interface RedactOptions {
  /**
   * True if the text leaves the machine or is stored (a summary, a prompt to another model). Masks everything, regardless
   * of `mode`. @default false
   */
  readonly boundary?: boolean | undefined;
  /** True for source code: values are not judged by their names, but tokens with a known format are found. @default false */
  readonly codeFile?: boolean | undefined;
}

/** Without `boundary`, masks all secrets, only those recognizable without a name (`known`), or none (`off`). */
export type RedactMode = 'all' | 'known' | 'off';

/** Options of {@link createRedactor}. */
export interface RedactorOptions {
  /** Custom rules, in addition to the built-in ones; see {@link defineRule}. */
  readonly rules?: readonly Rule[] | undefined;
  /** Exact values that look like secrets but are not, such as published sample keys. */
  readonly allow?: readonly string[] | undefined;
  /** What to mask in calls without `boundary: true`, for example for a local log. @default 'all' */
  readonly mode?: RedactMode | undefined;
}

/** Redacts text and messages with a fixed set of rules. Keeps no state between calls, so it can be shared. */
export interface Redactor {
  /** Returns the text with every secret masked; the same string if there is none. */
  redact(text: string, options?: RedactOptions): string;
  /** Returns the locations of all secrets, in ascending order and without overlaps. */
  inspect(text: string, options?: RedactOptions): Finding[];
  /** Redacts every string in messages of any provider; see {@link redactMessages}. */
  redactMessages<Message>(messages: readonly Message[], options?: RedactOptions): readonly Message[];
  /** Redacts strings and keys in any JSON-like value (state, configuration, log record); see {@link redactValue}. */
  redactValue<Value>(value: Value, options?: RedactOptions): Value;
}

const nothing: readonly Span[] = [];

/** Weight of private keys. They are reported even if they contain a hidden character: they may exceed the range that is searched again. */
const keyBlock = 3;

/** Up to this length, a text in which something was masked is always searched again. */
const short = 1 << 14;

/** Most passes over a text. A further pass finds secrets that became recognizable through the masks next to them. */
const maxPasses = 4;

/** Characters that separate a value from its surroundings: white space, quotes, `=:@`; empty at the end of the text. */
const separator = /^[\0- "'`\\<>\xa0=:@]?$/;

/** Returns the text that replaces a span: the mask of its rule, or the standard one. Newlines in a secret are kept. */
function maskOf(text: string, { start, end, mask, shown }: Span): string {
  const written = text.slice(start, end);
  const newlines = newlinesOf(written);
  // An escaped newline in the shown text is not a newline of the original.
  const secret = shown === undefined ? written : shown.replace(/\n/g, '') + newlines;
  return mask ? mask(secret) : maskSecret(secret.replace(/\\?\r?\n[ \t]*/g, '')) + newlines;
}

/** Masks spans. `isSettled` is false if a further pass could find more, because a mask directly adjoins other text. */
function maskSpans(text: string, spans: readonly Span[]): { readonly text: string; readonly isSettled: boolean } {
  if (spans.length === 0) return { text, isSettled: true };
  let result = '';
  let from = 0;
  let isSettled = text.length > short;
  for (const span of spans) {
    const { start, end } = span;
    result += text.slice(from, start) + maskOf(text, span);
    from = end;
    isSettled &&= separator.test(text.charAt(start - 1)) && separator.test(text.charAt(end));
  }
  return { text: result + text.slice(from), isSettled };
}

/**
 * Creates a redactor with the built-in rules and your own. Takes a few milliseconds, so reuse it.
 * @throws {TypeError} for an unknown option or an invalid rule; see {@link defineRule}
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { rules = [], allow = [], mode = 'all', ...unknown } = options;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new TypeError(`createRedactor: unknown option "${name}".`);
  const searchPlain = createPlainSearch(rules, allow);

  const search = (text: string, options: RedactOptions): readonly Span[] => {
    const effective = options.boundary ? 'all' : mode;
    if (effective === 'off') return nothing;
    const skipNames = options.codeFile === true || effective === 'known';
    const { spans, isAscii } = searchPlain(text, skipNames);
    const dumped = dumpSpans(text, (dump) => searchPlain(dump, skipNames).spans);
    const hidden = reveal(text, isAscii);
    if (!hidden) return dumped.length === 0 ? spans : mergeSpans([...spans, ...dumped]);
    const inside = hidden.ranges.flatMap((range) => range.locate(searchPlain(range.text, skipNames).spans));
    return mergeSpans([
      ...spans.filter((span) => span.weight === keyBlock || !hidden.splits(span)),
      ...inside,
      ...dumped,
    ]);
  };

  const redactText = (given: string, options: RedactOptions = {}): string => {
    if (given === null || given === undefined) return given;
    const text = textOf(given);
    let outcome = maskSpans(text, search(text, options));
    for (let pass = 1; pass < maxPasses && !outcome.isSettled; pass += 1)
      outcome = maskSpans(outcome.text, search(outcome.text, options));
    return outcome.text;
  };

  const textRedactor = (options: RedactOptions): TextRedactor => ({
    redact: (text) => redactText(text, options),
    inspect: (text) => search(text, options),
    byName: !options.codeFile && (options.boundary === true || mode === 'all'),
  });

  return {
    redact: redactText,
    inspect: (text, options = {}) =>
      search(textOf(text ?? ''), options).map(({ kind, start, end }) => ({ kind, start, end })),
    redactMessages: (messages, options = {}) => redactInside(messages, textRedactor(options), false),
    redactValue: (value, options = {}) => redactInside(value, textRedactor(options), true),
  };
}

/** Converts what an untyped caller passed (an Error, a Buffer) to a string; the empty string if that fails. */
function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  try {
    return String(given);
  } catch {
    return '';
  }
}
