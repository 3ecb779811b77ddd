import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { openView } from './web-view.ts';

/** Maximum layout shift while the page loads and changes. Web Vitals rate up to 0.1 as good. */
const mostShift = 0.05;

/** Layout stability while the page loads and when another session is chosen. */
export function layoutStability(browser: () => Browser, address: () => string): void {
  it.each([360, 1440])('shifts no content at %i px', async (width) => {
    const view = await openView(browser(), address(), { viewport: { width, height: 900 } }, () => {
      const record = globalThis as unknown as { shift: number };
      record.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) record.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    try {
      const shift = () => view.page.evaluate(() => (globalThis as unknown as { shift: number }).shift);
      expect(await shift()).toBeLessThan(mostShift);
      const before = await view.tokensBefore();
      await view.page.locator('.sample select').selectOption({ index: 0 });
      await expect.poll(() => view.tokensBefore(), { timeout: 20_000 }).not.toBe(before);
      await view.settled();
      expect(await shift()).toBeLessThan(mostShift);
    } finally {
      await view.close();
    }
  });
}
