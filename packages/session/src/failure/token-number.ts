/** A count as providers write it: `200000`, `200,000`, `200 000`, `1_048_576`, `128k`. For use inside of larger patterns. */
export const count: string = String.raw`(?:\d{1,3}(?:[,._'\u2019\u00a0\u202f ]\d{3})+(?!\d)|\d{1,12})(?:\.\d{1,3})?(?: ?[kKmM](?![A-Za-z]))?`;

/** The value of a {@link count}; `null` when it is none. */
export function countOf(written: string | undefined): number | null {
  if (written === undefined) return null;
  const unit = /[kKmM]$/.exec(written)?.[0].toLowerCase();
  const digits = written.replace(/ ?[kKmM]$/, '');
  const grouped = /^\d{1,3}(?:[,._'\u2019\u00a0\u202f ]\d{3})+$/.test(digits);
  const value = Number(grouped ? digits.replace(/\D/g, '') : digits);
  if (!Number.isFinite(value)) return null;
  return Math.round(value * (unit === 'k' ? 1_000 : unit === 'm' ? 1_000_000 : 1));
}

/** The named groups of the first pattern that matches, as numbers. */
export function firstMatch(patterns: readonly RegExp[], text: string): Readonly<Record<string, number | null>> | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, countOf(value)]));
  }
  return null;
}

/** A pattern in which `<name>` stands for a count that is wanted, and `#` for one that is not. Case does not matter. */
export function countPattern(source: string): RegExp {
  const written = source.replace(/<(\w+)>/g, (_, name: string) => `(?<${name}>${count})`).replace(/#/g, count);
  return new RegExp(written, 'iu');
}
