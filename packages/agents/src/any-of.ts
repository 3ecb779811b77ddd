/**
 * Returns a test for texts that begin with one of the patterns. The patterns are combined, so each text is matched at
 * most twice.
 */
export function startsWithAny(patterns: readonly RegExp[]): (text: string) => boolean {
  const matchers = [patterns.filter(({ ignoreCase }) => !ignoreCase), patterns.filter(({ ignoreCase }) => ignoreCase)]
    .map((some, at) => atStart(some, at === 0 ? '' : 'i'))
    .filter((matcher) => matcher !== null);
  return (text) => matchers.some((matcher) => matcher.test(text));
}

/** Returns the length of the longest match of one of the patterns at the start of a text; -1 without a match. */
export function lengthAtStart(patterns: readonly RegExp[]): (text: string) => number {
  const matchers = ['', 'i'].flatMap(
    (flags) =>
      atStart(
        patterns.filter((one) => one.flags === flags),
        flags,
      ) ?? [],
  );
  return (text) => Math.max(-1, ...matchers.map((matcher) => matcher.exec(text)?.[0].length ?? -1));
}

/** Combines patterns into one that matches at the start of a text. Returns `null` for an empty list. */
export function atStart(patterns: readonly RegExp[], flags = ''): RegExp | null {
  return patterns.length === 0 ? null : new RegExp(`^(?:${alternatives(patterns)})`, flags);
}

/** Combines patterns into one that matches anywhere. Returns `null` for an empty list. */
export function anywhere(patterns: readonly RegExp[], flags = ''): RegExp | null {
  return patterns.length === 0 ? null : new RegExp(alternatives(patterns), flags);
}

function alternatives(patterns: readonly RegExp[]): string {
  return patterns.map(({ source }) => `(?:${source})`).join('|');
}

/** Returns the source of a pattern that matches any of the names literally. */
export function anyName(names: readonly string[]): string {
  return `(?:${names.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|')})`;
}
