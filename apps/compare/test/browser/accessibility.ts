import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page, one line for each rule. @param within a selector, to check only a part of the page */
export async function accessibilityProblems(page: Page, within = 'html'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate(async (part) => {
    const { axe } = globalThis as unknown as { axe: { run(part: string, options: RunOptions): Promise<AxeResults> } };
    // What passes is not described, and not sent.
    return (await axe.run(part, { resultTypes: ['violations'] })).violations;
  }, within);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
