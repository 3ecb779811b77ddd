import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import type { WebView } from './web-view.ts';

/** Set to a folder to save a screenshot of each layout there. */
const pictures = process.env.PALIMPSEST_PICTURES;

const looks = [360, 1440].flatMap((width) => (['light', 'dark'] as const).map((light) => ({ width, light })));

/** Layout in both colour schemes and on small and large screens. */
export function layout(shown: () => WebView): void {
  describe('layout', () => {
    let view: WebView;
    let usual: { width: number; height: number };
    beforeAll(() => {
      view = shown();
      usual = view.page.viewportSize()!;
    });
    afterAll(async () => {
      await view.page.setViewportSize(usual);
      await view.page.emulateMedia({ colorScheme: null });
    });

    it.each(looks)('fits $width px and is accessible, $light', async ({ width, light }) => {
      const { page } = view;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: light });
      expect(await beyond(view)).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      if (pictures) await page.screenshot({ path: join(pictures, `${width}-${light}.png`), fullPage: true });
    });

    it.each([320, 480, 640, 768, 900, 1024, 1280, 2560])('fits %i px', async (width) => {
      await view.page.setViewportSize({ width, height: 900 });
      expect(await beyond(view)).toBeLessThanOrEqual(0);
    });
  });
}

/** Horizontal overflow in pixels, after the page has handled its new size. */
function beyond({ page }: WebView): Promise<number> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    return document.documentElement.scrollWidth - innerWidth;
  });
}
