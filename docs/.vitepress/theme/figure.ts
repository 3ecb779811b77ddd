import { data, type Figures } from '../figures.data.ts';

/** A table of the bench. */
export type Source = keyof Figures;

/** A figure of the bench. The build fails for one that is not there. */
export function figure(from: Source, row: string, column: string): string {
  const value = data[from][row]?.[column];
  if (value === undefined) throw new Error(`the bench has no "${column}" of "${row}" in its table "${from}"`);
  return value;
}
