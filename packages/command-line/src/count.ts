/** One formatter for all numbers: `toLocaleString` would look up the locale each time. */
const grouped = new Intl.NumberFormat('en-US');

/** A rounded number with thousands separators: `12,345`. */
export function count(value: number): string {
  return grouped.format(Math.round(value));
}

/** A number with its noun: `1 row`, `2,000 rows`, `3 retries`. @param plural default: the noun with `s` */
export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}
