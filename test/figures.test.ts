import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** A page that is also read in the repository cannot read figures from what the bench wrote, so they are compared here. */
const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');
const bench = read('docs/bench.md');
const reliability = read('docs/reliability.md');

/** Rows of the table of all measures by method and size, rounded as in the documentation: `compressor, 10 %`. */
const rows = new Map(
  bench
    .slice(bench.indexOf('| % | facts | verbatim | continuation |'))
    .split('\n\n', 1)[0]!
    .split('\n')
    .slice(2)
    .map((row) => {
      const [name = '', ...cells] = row.split('|').slice(1, -1);
      const [facts = 0, verbatim = 0, continuation = 0] = cells.map((cell) => Math.round(Number.parseFloat(cell)));
      return [name.trim(), [continuation, facts, verbatim]] as const;
    }),
);

it('the documentation quotes the newest figures of the bench', () => {
  // The names of other packages have a version.
  const peers = [...rows.keys()].filter((name) => / \d+\.\d+\.\d+ /.test(name));
  for (const share of ['10 %', '20 %']) {
    const others = peers.filter((name) => name.endsWith(`, ${share}`)).map((name) => rows.get(name)!);
    const cells = rows
      .get(`compressor, ${share}`)!
      .flatMap((own, at) => [own, Math.max(...others.map((all) => all[at]!))]);
    expect(reliability).toContain(`| ${share} | ${cells.map((cell) => `${cell} %`).join(' | ')} |`);
  }
  expect(new Set(peers.map((name) => name.split(' ', 1)[0])).size).toBe(8);
});
