/** Writes a number in an English sentence: rounded, with separators. */
export function formatNumber(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
