import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The README cannot read figures from what the bench wrote, as the site does, so they are compared here. */
const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');
const bench = read('docs/bench.md');
const readme = read('README.md');

/** Figures of the table that begins with this line: by the name of the row, rounded as in the README. */
function rowsAfter(line: string): Map<string, number[]> {
  const table = bench.slice(bench.indexOf(line)).split('\n\n', 1)[0]!;
  const rows = table.split('\n').slice(2);
  return new Map(
    rows.map((row) => {
      const [name = '', ...cells] = row.split('|').slice(1, -1);
      return [name.trim(), cells.map((cell) => Math.round(Number.parseFloat(cell)))];
    }),
  );
}

it('the README quotes the newest figures of the bench', () => {
  const [facts, verbatim] = [rowsAfter('| facts, % | at 10 % |'), rowsAfter('| verbatim, % | at 10 % |')];
  // The names of other packages have a version.
  const peers = [...facts.keys()].filter((name) => / \d+\.\d+\.\d+ /.test(name));
  const best = (rows: Map<string, number[]>, at: number) => Math.max(...peers.map((name) => rows.get(name)![at]!));
  for (const [share, at] of [
    ['10 %', 0],
    ['20 %', 1],
    ['50 %', 3],
  ] as const) {
    const cells = [facts.get('compressor')![at], best(facts, at), verbatim.get('compressor')![at], best(verbatim, at)];
    expect(readme).toContain(`| ${share} | ${cells.map((cell) => `${cell} %`).join(' | ')} |`);
  }
  expect(peers).toHaveLength(7);
});
