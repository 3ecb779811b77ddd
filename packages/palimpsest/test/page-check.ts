import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const colours = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

/** Checks that a page fits the window and is accessible: on a phone and a desktop, in light, dark and forced colours. */
export async function checkPage(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const width of [390, 1024])
    for (const media of colours) {
      await page.setViewportSize({ width, height: 768 });
      await page.emulateMedia(media);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const { violations } = await page.evaluate(() => {
        const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
        return checker.run();
      });
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
    }
}
