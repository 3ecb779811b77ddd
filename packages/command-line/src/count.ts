/** Made once: `toLocaleString` would look the language up anew for every number of a page. */
const grouped = new Intl.NumberFormat('en-US');

/** A whole number with its thousands set off. */
export function count(value: number): string {
  return grouped.format(Math.round(value));
}

/** A number with its noun: `1 row`, `2,000 rows`, `3 retries`. @param several the plural. @default the noun plus `s` */
export function counted(value: number, noun: string, several = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : several}`;
}
