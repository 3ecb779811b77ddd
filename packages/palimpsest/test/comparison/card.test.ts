import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { imageSize } from 'image-size';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { comparisonCard } from '../../src/comparison/card/card.ts';
import type { CardFigures } from '../../src/comparison/card/card-figures.ts';
import { examplePrices } from '../../src/replay/replay-cost.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;
const samples = fileURLToPath(new URL('../../../../apps/compare/samples', import.meta.url));
for (const name of ['bisect-a-wrong-cent.json', 'router-library.json'])
  folder.write(name, readFileSync(`${samples}/${name}`, 'utf8'));
folder.write('secret name.json', session(40));

const draw = async (file: string, ...arguments_: readonly string[]): Promise<string> => {
  const ran = await runHere(['compare', ...arguments_, '--card', file], { cwd });
  expect(ran).toMatchObject({ code: 0, stderr: `palimpsest: wrote ${cwd}/${file}\n` });
  return readFileSync(`${cwd}/${file}`, 'utf8');
};
const wordsOf = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words]) => words!);

describe('compare --card', () => {
  it('shows requests rescued, tokens and dollars, and no text of the session', async () => {
    const words = wordsOf(await draw('one.svg', 'bisect-a-wrong-cent.json'));
    expect(words).toEqual([
      'Palimpsest',
      '6 of 17 requests did not fit. Now all do.',
      '1 recorded session, 52 messages, a window of 8K',
      'window',
      'without compaction',
      'over the window',
      'with compressor',
      '6 of 17',
      'requests rescued',
      expect.stringMatching(/^[\d.]+K → [\d.]+K$/),
      'prompt tokens sent',
      expect.stringMatching(/^\$0\.\d{3} → \$0\.\d{3}$/),
      'for input and handoffs',
      'A replay. Input at $3.00 per million tokens, $0.30 cached, $3.75 written to the cache. Handoffs by a model at $15.00.',
    ]);
    expect(await draw('named.svg', 'secret name.json')).not.toContain('secret');
  });

  it('adds up several sessions, for the engine that the verdict on all of them names', async () => {
    const words = wordsOf(await draw('two.svg', 'bisect-a-wrong-cent.json', 'router-library.json'));
    expect(words).toContain('2 recorded sessions, 181 messages, windows of 8K, 32K');
    expect(words).toContain('19 of 55');
    expect(words).toContain('with compressor');
  });

  it('draws a PNG', async () => {
    await draw('one.png', 'bisect-a-wrong-cent.json');
    expect(imageSize(readFileSync(`${cwd}/one.png`))).toMatchObject({ type: 'png', width: 1200, height: 630 });
  });

  it('needs a replay', async () => {
    const ran = await runHere(['compare', 'router-library.json', '--card', 'no.svg', '--focus', 'tests'], { cwd });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--card shows a replay') });
  });

  describe('without the package that draws', () => {
    afterEach(() => vi.doUnmock('@resvg/resvg-js'));

    it('names it', async () => {
      vi.doMock('@resvg/resvg-js', () => {
        throw new Error('Cannot find package');
      });
      const ran = await runHere(['compare', 'router-library.json', '--card', 'no.png'], { cwd });
      expect(ran).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('npm install @resvg/resvg-js'),
      });
    });
  });
});

describe('the card', () => {
  const figures: CardFigures = {
    engine: '<b>mine</b>',
    samples: [{ messages: 4, window: { tokens: 200_000, by: 'given' }, prices: examplePrices }],
    before: {
      requests: 1,
      pages: 0,
      compactions: 0,
      sentTokens: 1_000,
      largestPrompt: 1_000,
      overWindow: 0,
      dollars: 1,
    },
    after: { requests: 1, pages: 0, compactions: 1, sentTokens: 500, largestPrompt: 500, overWindow: 0, dollars: 0.5 },
    requests: [{ before: 0.2, after: 0.1 }],
  };

  it('says what is saved if every request fits, and what still does not fit', () => {
    expect(wordsOf(comparisonCard(figures))).toContain('50 % less for the input of 1 request');
    const over = {
      ...figures,
      before: { ...figures.before, overWindow: 3 },
      after: { ...figures.after, overWindow: 1 },
    };
    expect(wordsOf(comparisonCard(over))).toContain('3 of 1 request did not fit. Now all but 1 do.');
  });

  it('escapes the name of an engine', () => {
    expect(comparisonCard(figures)).toContain('with &lt;b&gt;mine&lt;/b&gt;');
  });
});
