import { assignmentMatchers } from './assignment.ts';
import { cliMatchers } from './command-line.ts';
import { type Finding, type Span, unite } from './finding.ts';
import { foreignSpans } from './foreign.ts';
import { headerMatchers } from './header.ts';
import { reveal } from './hidden.ts';
import { maskSecret, newlinesOf } from './mask.ts';
import { redactInside, type TextRedactor } from './messages.ts';
import { pemMatchers } from './pem.ts';
import type { Matcher } from './rule.ts';
import { createScanner } from './scan.ts';
import { Source } from './source.ts';
import { statementMatchers } from './statement.ts';
import { urlMatchers } from './url.ts';
import { matcherOf, type Rule } from './user-rule.ts';
import { textureOf } from './value.ts';
import { vendorMatchers } from './vendor.ts';

/** What a single call may ask for. */
export interface RedactOptions {
  /**
   * True where text leaves the machine or is stored (a summary, a prompt to another model): everything is on,
   * whatever `mode` says. @default false
   */
  readonly boundary?: boolean | undefined;
  /** True for source code: names beside values are no evidence there and are skipped; token shapes stay on. @default false */
  readonly codeFile?: boolean | undefined;
}

/** How much a user wants masked in logs: everything, only what has a shape of its own, or nothing. */
export type RedactMode = 'all' | 'known' | 'off';

export interface RedactorOptions {
  /** Rules besides the built-in ones; see {@link defineRule}. */
  readonly rules?: readonly Rule[] | undefined;
  /** Values that look like secrets and are none (published sample keys): exact strings. */
  readonly allow?: readonly string[] | undefined;
  /** The logging preference; `boundary: true` overrides it. @default 'all' */
  readonly mode?: RedactMode | undefined;
}

/** A set of rules, ready to use. Has no state: one may serve everybody. */
export interface Redactor {
  /** The text with every secret masked; the same string when there is none. */
  redact(text: string, options?: RedactOptions): string;
  /** Where secrets stand, in rising order, without overlaps. */
  inspect(text: string, options?: RedactOptions): Finding[];
  /** Messages of any provider with every string in them redacted; see {@link redactMessages}. */
  redactMessages<Message>(messages: readonly Message[], options?: RedactOptions): readonly Message[];
  /** Any JSON-like value (state, configuration, log) with its strings and keys redacted; see {@link redactValue}. */
  redactValue<Value>(value: Value, options?: RedactOptions): Value;
}

const builtIn: readonly Matcher[] = [
  ...pemMatchers,
  ...vendorMatchers(),
  ...headerMatchers,
  ...urlMatchers,
  ...statementMatchers,
  ...cliMatchers,
  ...assignmentMatchers,
];

const NOTHING: readonly Span[] = [];

/** Weight of private keys. They stay even if a hidden character splits them: they exceed the range searched again. */
const KEY_BLOCK = 3;

/** So short a text is always looked at again once something is masked in it. */
const SHORT = 1 << 14;

/** Passes over a text whose masks touch other text; each further one masks only what the last one laid bare. */
const MOST_PASSES = 4;

/** What certainly ends a value on either side of it: white space, quotes, `=:@`, or the text's end. */
const APART = /^[\0- "'`\\<>\xa0=:@]?$/;

/** What takes a span's place: a rule's own mask, or the standard one; a secret broken over lines keeps its line ends. */
function maskOf(text: string, { start, end, mask, shown }: Span): string {
  const written = text.slice(start, end);
  const newlines = newlinesOf(written);
  // An escaped newline in the shown text is not a newline of the original.
  const secret = shown === undefined ? written : shown.replace(/\n/g, '') + newlines;
  return mask ? mask(secret) : maskSecret(secret.replace(/\\?\r?\n/g, '')) + newlines;
}

/** Findings of the matchers whose keywords are searched for one by one. */
function rareSpans(text: string, skipNames: boolean, matchers: readonly Matcher[]): Span[] {
  return matchers.flatMap(({ keywords, match }) =>
    keywords.flatMap((literal) => {
      // The second character is much rarer than the first (a colon), so this is a quick test.
      let at = text.includes(literal.charAt(1)) ? text.indexOf(literal) : -1;
      if (at < 0) return NOTHING;
      const source = new Source(text, skipNames);
      for (; at >= 0; at = text.indexOf(literal, at + 1)) match(source, at, literal.length);
      return source.spans;
    }),
  );
}

/** Prepares a redactor with rules of your own. Throws a `TypeError` for a rule that is not sound. */
export function createRedactor({ rules = [], allow = [], mode = 'all' }: RedactorOptions = {}): Redactor {
  const matchers = [...rules.map(matcherOf), ...builtIn];
  const allowed = new Set(allow);
  const rare = matchers.filter(({ isRare }) => isRare);
  const scan = createScanner(
    // Every one with the same fields, in the same order: the engine reads them without looking for them.
    matchers
      .filter(({ isRare }) => !isRare)
      .flatMap(({ keywords, caseSensitive, after, match }) =>
        keywords.map((literal) => ({ literal, caseSensitive, after, match })),
      ),
  );

  /** Spans over `text`, as if nothing hid in it. */
  const searchPlain = (
    text: string,
    skipNames: boolean,
  ): { readonly spans: readonly Span[]; readonly isAscii: boolean } => {
    let source = null as Source | null;
    const isAscii = scan(text, (found, at) =>
      found.match((source ??= new Source(text, skipNames)), at, found.literal.length),
    );
    const foreign = isAscii || skipNames ? NOTHING : foreignSpans(text);
    const spans = [...(source?.spans ?? NOTHING), ...rareSpans(text, skipNames, rare), ...foreign];
    if (spans.length === 0) return { spans: NOTHING, isAscii };
    // It keeps the last value it was asked about: not a secret, after the search.
    textureOf('');
    return { spans: unite(spans).filter(({ start, end }) => !allowed.has(text.slice(start, end))), isAscii };
  };

  const search = (text: string, options: RedactOptions): readonly Span[] => {
    const effective = options.boundary ? 'all' : mode;
    if (effective === 'off') return NOTHING;
    const skipNames = options.codeFile === true || effective === 'known';
    const { spans, isAscii } = searchPlain(text, skipNames);
    const hidden = reveal(text, isAscii);
    if (!hidden) return spans;
    const inside = hidden.stretches.flatMap((stretch) => stretch.locate(searchPlain(stretch.text, skipNames).spans));
    return unite([...spans.filter((span) => span.weight === KEY_BLOCK || !hidden.splits(span)), ...inside]);
  };

  /** Masks once; `isSettled` is false when a mask touches what stands beside it, which may now read differently. */
  const redactOnce = (text: string, options: RedactOptions): { readonly text: string; readonly isSettled: boolean } => {
    const spans = search(text, options);
    if (spans.length === 0) return { text, isSettled: true };
    let result = '';
    let from = 0;
    let isSettled = text.length > SHORT;
    for (const span of spans) {
      const { start, end } = span;
      result += text.slice(from, start) + maskOf(text, span);
      from = end;
      isSettled &&= APART.test(text.charAt(start - 1)) && APART.test(text.charAt(end));
    }
    return { text: result + text.slice(from), isSettled };
  };

  const redactText = (given: string, options: RedactOptions = {}): string => {
    if (given === null || given === undefined) return given;
    const text = textOf(given);
    let outcome = redactOnce(text, options);
    for (let pass = 1; pass < MOST_PASSES && !outcome.isSettled; pass += 1) outcome = redactOnce(outcome.text, options);
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

/** Untyped callers may pass anything (an Error, a Buffer). A value that cannot be converted becomes the empty text. */
function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  try {
    return String(given);
  } catch {
    return '';
  }
}
