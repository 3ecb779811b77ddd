import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { openView, type WebView } from './web-view.ts';

/** Maximum layout shift while the page loads or changes. Web Vitals rate up to 0.1 as good. */
const mostShift = 0.05;

const sizes = [
  [1440, 900],
  [1024, 768],
  [390, 844],
  [360, 900],
] as const;

/** Layout stability while the page loads, when each of the recorded sessions is chosen, and when a file is opened. */
export function layoutStability(browser: () => Browser, address: () => string): void {
  it.each(sizes)('shifts no content at %i by %i, for any recorded session', async (width, height) => {
    const view = await openView(browser(), address(), { viewport: { width, height } }, () => {
      const record = globalThis as unknown as { shift: number };
      record.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) record.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    try {
      const shifts: (readonly [name: string, shift: number])[] = [['the page', await shiftOf(view)]];
      const sample = view.page.locator('.sample select');
      const names = await sample.locator('option').allTextContents();
      for (const [index, name] of names.entries()) {
        await sample.selectOption({ index });
        await view.page.waitForFunction((at) => {
          const select = document.querySelector<HTMLSelectElement>('.sample select');
          const isSettled = document.querySelector('[role=status]')?.getAttribute('data-settled') === 'true';
          return isSettled && select?.selectedIndex === at;
        }, index);
        shifts.push([name, await shiftOf(view)]);
      }
      console.log(`layout shift at ${width} by ${height}: ${shifts.map(([, shift]) => shift.toFixed(3)).join(', ')}`);
      expect(shifts.filter(([, shift]) => shift > mostShift)).toEqual([]);
      // The reserved room is enough for each of them, and for the one shown first.
      expect(names.length).toBeGreaterThan(4);
    } finally {
      await view.close();
    }
  });
}

/** The layout shift since the last call, after the page has come to rest. */
function shiftOf({ page }: WebView): Promise<number> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
    const record = globalThis as unknown as { shift: number };
    const { shift } = record;
    record.shift = 0;
    return shift;
  });
}
