/** Made once: `toLocaleString` would look the language up anew for every number of a page. */
const grouped = new Intl.NumberFormat('en-US');

/** A whole number with its thousands set off. */
export function count(value: number): string {
  return grouped.format(Math.round(value));
}
