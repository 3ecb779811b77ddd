import { data, type Figures } from '../figures.data.ts';

/** A figure of the bench. The build fails for one that is not there. */
export function figure(from: keyof Figures, row: string, column: string): string {
  const value = data[from][row]?.[column];
  if (!value) throw new Error(`the bench has no "${column}" of "${row}" in its table "${from}"`);
  return value;
}

/** An amount of dollars, several times. */
export function multiplied(dollars: string, times: number): string {
  return `$${(Number(dollars.slice(1)) * times).toLocaleString('en-US', { maximumFractionDigits: 0 })}`;
}
