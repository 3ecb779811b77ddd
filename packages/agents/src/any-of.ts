/** A test for texts that begin with one of the patterns. Each text is matched once or twice, not once per pattern. */
export function startsWithAny(patterns: readonly RegExp[]): (text: string) => boolean {
  const matchers = [patterns.filter(({ ignoreCase }) => !ignoreCase), patterns.filter(({ ignoreCase }) => ignoreCase)]
    .map((some, at) => atStart(some, at === 0 ? '' : 'i'))
    .filter((matcher) => matcher !== null);
  return (text) => matchers.some((matcher) => matcher.test(text));
}

/** One pattern that matches where any of the patterns matches at the start of a text, or `null`. */
export function atStart(patterns: readonly RegExp[], flags = ''): RegExp | null {
  return patterns.length === 0 ? null : new RegExp(`^(?:${alternatives(patterns)})`, flags);
}

/** One pattern that matches where any of the patterns matches, or `null`. */
export function anywhere(patterns: readonly RegExp[], flags = ''): RegExp | null {
  return patterns.length === 0 ? null : new RegExp(alternatives(patterns), flags);
}

function alternatives(patterns: readonly RegExp[]): string {
  return patterns.map(({ source }) => `(?:${source})`).join('|');
}

/** A pattern's source that matches one of the names and nothing else. */
export function anyName(names: readonly string[]): string {
  return `(?:${names.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|')})`;
}
