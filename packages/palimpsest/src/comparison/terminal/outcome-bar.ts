import type { Colours } from '@palimpsest/command-line/terminal';
import type { OutcomeTokens } from '../../measuring/outcome-tokens.ts';

type Outcome = keyof OutcomeTokens;

/** How an outcome is drawn. Each has a texture, so that a bar can be read without colour. */
const looks: readonly (readonly [
  outcome: Outcome,
  texture: string,
  colour: 'blue' | 'yellow' | 'magenta' | 'red' | 'dim',
])[] = [
  ['kept', '█', 'blue'],
  ['shortened', '▓', 'yellow'],
  ['summary', '▒', 'magenta'],
  ['dropped', '░', 'red'],
  ['freed', '·', 'dim'],
];

/** Draws where the tokens of a prompt went. @param width in characters */
export function outcomeBar(tokens: OutcomeTokens, width: number, colours: Colours): string {
  const cells = share(
    looks.map(([outcome]) => tokens[outcome]),
    width,
  );
  return looks.map(([, texture, colour], at) => (cells[at] ? colours[colour](texture.repeat(cells[at])) : '')).join('');
}

/** Explains the textures that occur in the bars. */
export function barLegend(bars: readonly OutcomeTokens[], colours: Colours): string {
  return looks
    .filter(([outcome]) => bars.some((tokens) => tokens[outcome] > 0))
    .map(([outcome, texture, colour]) => `${colours[colour](texture)} ${outcome}`)
    .join('  ');
}

/** Divides a width, of at least one for each value, in proportion to the values. Each value above 0 gets at least 1. */
export function share(values: readonly number[], width: number): readonly number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total <= 0) return values.map(() => 0);
  const exact = values.map((value) => (value / total) * width);
  const cells = exact.map((cell, at) => (values[at]! > 0 ? Math.max(1, Math.floor(cell)) : 0));
  for (let left = width - cells.reduce((sum, cell) => sum + cell, 0); left !== 0; left -= Math.sign(left)) {
    const step = Math.sign(left);
    // The cell that is furthest from its exact width, but none disappears.
    const owed = exact.map((cell, at) => (cells[at]! > (step > 0 ? 0 : 1) ? (cell - cells[at]!) * step : -Infinity));
    cells[owed.indexOf(Math.max(...owed))]! += step;
  }
  return cells;
}
