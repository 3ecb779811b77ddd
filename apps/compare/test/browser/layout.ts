import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import type { WebView } from './web-view.ts';

/** Set to a folder to save a screenshot of each layout there. */
const pictures = process.env.PALIMPSEST_PICTURES;

const looks = [360, 1440].flatMap((width) => (['light', 'dark', 'forced'] as const).map((look) => ({ width, look })));

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
      await view.page.emulateMedia({ colorScheme: null, forcedColors: null });
    });

    it.each(looks)('fits $width px and is accessible, $look', async ({ width, look }) => {
      const { page } = view;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia(
        look === 'forced' ? { forcedColors: 'active' } : { colorScheme: look, forcedColors: 'none' },
      );
      expect(await beyond(view)).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      if (pictures) await page.screenshot({ path: join(pictures, `${width}-${look}.png`), fullPage: true });
    });

    it('shows both engines and the reader in the first view at 1024 by 768', async () => {
      await view.page.setViewportSize({ width: 1024, height: 768 });
      await view.page.evaluate(() => scrollTo(0, 0));
      for (const label of ['compressor: what is left', 'prune-compact: what is left']) {
        const { y, height } = (await view.page.getByLabel(label).boundingBox())!;
        expect(y + height).toBeLessThan(768);
      }
      expect((await view.page.getByRole('tabpanel').boundingBox())!.y).toBeLessThan(500);
    });

    it('shows the strips of the first engine on the first screen of a phone', async () => {
      await view.page.setViewportSize({ width: 390, height: 844 });
      await view.page.evaluate(() => scrollTo(0, 0));
      const { y, height } = (await view.page.getByLabel('compressor: what is left').boundingBox())!;
      expect(y + height).toBeLessThan(844);
    });

    it.each([1280, 1440])('shows the whole table of figures at %i px', async (width) => {
      await view.page.setViewportSize({ width, height: 900 });
      const table = view.page.getByRole('region', { name: 'Figures of the replay' });
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
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
