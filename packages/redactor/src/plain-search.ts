import { mergeSpans, type Span } from './finding.ts';
import { assignmentMatchers } from './kinds/assignment.ts';
import { bareKeyMatchers } from './kinds/bare-key.ts';
import { commandLineMatchers } from './kinds/command-line.ts';
import { headerMatchers } from './kinds/header.ts';
import { findNonAsciiNames } from './kinds/non-ascii-names.ts';
import { privateKeyMatchers } from './kinds/private-key.ts';
import { statementMatchers } from './kinds/statement.ts';
import { urlMatchers } from './kinds/url.ts';
import { vendorMatchers } from './kinds/vendor.ts';
import { type Rule, toMatcher } from './rules/user-rule.ts';
import type { Matcher } from './scan/matcher.ts';
import { createScanner } from './scan/scan.ts';
import { SearchState } from './scan/search-state.ts';
import { statsOf } from './values/looks-random.ts';

const builtIn: readonly Matcher[] = [
  ...privateKeyMatchers,
  ...bareKeyMatchers,
  ...vendorMatchers(),
  ...headerMatchers,
  ...urlMatchers,
  ...statementMatchers,
  ...commandLineMatchers,
  ...assignmentMatchers,
];

const nothing: readonly Span[] = [];

/** Finds the secrets of a text without regard to hidden characters. `skipNames`: values are not judged by their names. */
type PlainSearch = (text: string, skipNames: boolean) => { readonly spans: readonly Span[]; readonly isAscii: boolean };

/** A keyword of a matcher with `isRare`. */
interface RareKeyword extends Pick<Matcher, 'match'> {
  readonly literal: string;
  /** Its different characters. */
  readonly signs: readonly string[];
}

/** Creates a search with the built-in rules and your own. @param allow exact values that are not secrets */
export function createPlainSearch(rules: readonly Rule[], allow: readonly string[]): PlainSearch {
  const matchers = [...rules.map(toMatcher), ...builtIn];
  const allowed = new Set(allow);
  // All objects have the same fields in the same order, which V8 reads fastest.
  const all = matchers.flatMap(({ keywords, caseSensitive, after, isRare, match }) =>
    keywords.map((literal) => ({ literal, caseSensitive, after, isRare, match })),
  );
  const rare = all.filter(({ isRare }) => isRare).map((one) => ({ ...one, signs: [...new Set(one.literal)] }));
  const scan = createScanner(all.filter(({ isRare }) => !isRare));
  return (text, skipNames) => {
    let state = null as SearchState | null;
    const isAscii = scan(text, (found, at) =>
      found.match((state ??= new SearchState(text, skipNames)), at, found.literal.length),
    );
    const foreign = isAscii || skipNames ? nothing : findNonAsciiNames(text);
    const spans = [...(state?.spans ?? nothing), ...rareSpans(text, skipNames, rare), ...foreign];
    if (spans.length === 0) return { spans: nothing, isAscii };
    // `statsOf` remembers its last argument, which must not be a secret.
    statsOf('');
    return { spans: mergeSpans(spans).filter(({ start, end }) => !allowed.has(text.slice(start, end))), isAscii };
  };
}

/** Finds the secrets of matchers with `isRare`, whose keywords are searched for one by one. */
function rareSpans(text: string, skipNames: boolean, rare: readonly RareKeyword[]): readonly Span[] {
  let spans = nothing;
  for (const { literal, signs, match } of rare) {
    // A quick test: most texts lack the dollar sign or the star, and a search for one character is the fastest.
    let at = signs.every((sign) => text.includes(sign)) ? text.indexOf(literal) : -1;
    if (at < 0) continue;
    const state = new SearchState(text, skipNames);
    for (; at >= 0; at = text.indexOf(literal, at + 1)) match(state, at, literal.length);
    spans = [...spans, ...state.spans];
  }
  return spans;
}
