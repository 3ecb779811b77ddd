import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityProblems } from '../../../apps/compare/test/browser/accessibility.ts';

const colours = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

/** Checks that a page fits the window and is accessible: on a phone and a desktop, in light, dark and forced colours. */
export async function checkPage(page: Page): Promise<void> {
  for (const width of [390, 1024])
    for (const media of colours) {
      await page.setViewportSize({ width, height: 768 });
      await page.emulateMedia(media);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect((await accessibilityProblems(page)).join('\n')).toBe('');
    }
}
