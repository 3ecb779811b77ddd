/**
 * A count as providers write it: `200000`, `200,000`, `200 000`, `1_048_576`, `128k`. Matches lower-case text, but not
 * inside a word, a version, a date or a model name.
 */
const count: string = String.raw`(?:\d{1,3}(?:[,._' ]\d{3})+(?!\d)|\d{1,12})(?:\.\d{1,3})?(?: ?[km](?![a-z]))?`;

export const standaloneCount: RegExp = new RegExp(
  String.raw`(?<![\w.$#@/-])(?<sign>-)?(?<count>${count})(?![\w$]|-\d|[./]\w)`,
  'g',
);

/** A pattern in which `<name>` stands for a count to capture and `#` for any count. */
export function countPattern(source: string): RegExp {
  return new RegExp(source.replace(/<(\w+)>/g, (_, name: string) => `(?<${name}>${count})`).replace(/#/g, count));
}

/** The value of a matched count; `null` without a match. */
export function countOf(written: string | undefined): number | null {
  if (written === undefined) return null;
  const unit = /[km]$/.exec(written)?.[0];
  const digits = written.replace(/ ?[km]$/, '');
  const grouped = /^\d{1,3}(?:[,._' ]\d{3})+$/.test(digits);
  const value = Number(grouped ? digits.replace(/\D/g, '') : digits);
  if (!Number.isFinite(value)) return null;
  return Math.round(value * (unit === 'k' ? 1_000 : unit === 'm' ? 1_000_000 : 1));
}

/** The named group of the first pattern that matches, as a number. */
export function firstCount(patterns: readonly RegExp[], text: string, name: string): number | null {
  for (const pattern of patterns) {
    const found = countOf(pattern.exec(text)?.groups?.[name]);
    if (found !== null) return found;
  }
  return null;
}
