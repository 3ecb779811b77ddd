import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { session } from '../../../../packages/palimpsest/test/comparison/session.ts';
import { soon, type WebView } from './web-view.ts';

const sourceStrip = 'Every message before, by role';

const said = (view: WebView) => view.page.locator('[data-reading="source"]').textContent();

/** Use with a finger, on the session `router-library.json`. */
export function touch(shown: () => WebView): void {
  describe('touch', () => {
    let view: WebView;
    beforeAll(() => {
      view = shown();
    });

    it('reads a message that a finger taps, and all that a finger passes over', async () => {
      const strip = view.page.getByLabel(sourceStrip);
      await strip.scrollIntoViewIfNeeded();
      const { width } = (await strip.boundingBox())!;
      const first = await said(view);
      await strip.tap({ position: { x: width * 0.2, y: 8 } });
      await expect.poll(() => said(view), soon).not.toBe(first);
      const tapped = await said(view);
      const passed = await slide(view.page, strip, 0.3, 0.8);
      expect(passed.size).toBeGreaterThan(3);
      // The last one stays chosen after the finger is lifted.
      await expect.poll(() => said(view), soon).not.toBe(tapped);
      expect(passed).toContain(await strip.getAttribute('aria-valuetext'));
      await view.page.getByRole('tab', { name: 'All messages', exact: true }).tap();
      const list = view.page.getByRole('listbox', { name: 'Messages' });
      await list.getByRole('option', { selected: true }).waitFor();
      const chosen = Number(await strip.getAttribute('aria-valuenow'));
      await list.locator(`[data-message="${chosen - 3}"]`).tap();
      await expect.poll(() => strip.getAttribute('aria-valuenow'), soon).toBe(String(chosen - 2));
    });

    it('moves sliders, and zoomed strips, with a finger', async () => {
      const settings = await view.page.locator('[role=status]').getAttribute('data-settings');
      await slide(view.page, view.slider('Window'), 0.2, 0.9);
      await view.settled();
      await expect
        .poll(() => view.page.locator('[role=status]').getAttribute('data-settings'), soon)
        .not.toBe(settings);
      await view.page.getByRole('button', { name: 'Zoom in' }).tap();
      await view.page.getByRole('button', { name: 'Zoom in' }).tap();
      const strip = view.page.getByLabel(sourceStrip);
      const before = await pictureOf(strip);
      await slide(view.page, strip, 0.2, 0.7);
      await expect.poll(() => pictureOf(strip), soon).not.toBe(before);
      expect(await view.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
  });
}

/** Dragging with the mouse, and pasting anywhere on the page, from the session `router-library.json` on. */
export function dragAndPaste(shown: () => WebView): void {
  describe('dragging and pasting', () => {
    let view: WebView;
    beforeAll(() => {
      view = shown();
    });

    it('moves zoomed strips with the mouse, and does not take that for a click', async () => {
      const strip = view.page.getByLabel(sourceStrip);
      const { x, y, width } = (await strip.boundingBox())!;
      const { mouse } = view.page;
      for (let times = 0; times < 3; times++) await view.page.getByRole('button', { name: 'Zoom in' }).click();
      await mouse.move(x + width * 0.8, y + 10);
      const chosen = new URL(view.page.url()).hash;
      const pictures = () =>
        Promise.all([pictureOf(strip), pictureOf(view.page.getByLabel('compressor: the outcome of every message'))]);
      const before = await pictures();
      await mouse.down();
      await mouse.move(x + width * 0.5, y + 10, { steps: 5 });
      await mouse.up();
      await mouse.move(x, y - 60);
      await expect.poll(async () => (await pictures()).filter((one, at) => one === before[at]).length, soon).toBe(0);
      expect(new URL(view.page.url()).hash).toBe(chosen);
      await mouse.click(x + width * 0.5, y + 10);
      await expect.poll(() => new URL(view.page.url()).hash, soon).not.toBe(chosen);
    });

    it('chooses the request on a chart by click and by dragging', async () => {
      const plot = view.page.locator('.plot svg').first();
      await plot.scrollIntoViewIfNeeded();
      const { x, y, width } = (await plot.boundingBox())!;
      const request = async () => Number(await view.slider('Request').inputValue());
      await view.page.mouse.click(x + width * 0.2, y + 40);
      await expect.poll(request, soon).toBeLessThan(15);
      await view.page.mouse.move(x + width * 0.2, y + 40);
      await view.page.mouse.down();
      await view.page.mouse.move(x + width * 0.75, y + 40, { steps: 6 });
      await view.page.mouse.up();
      await expect.poll(request, soon).toBeGreaterThan(20);
    });

    it('reads a transcript that is pasted anywhere, and leaves fields alone', async () => {
      const { page } = view;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const copy = (text: string) => page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await copy(JSON.stringify({ messages: session(30) }));
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('Control+V');
      await page.getByText('in 63 messages').waitFor();
      await view.settled();
      await copy('needle');
      await page.getByRole('tab', { name: 'All messages', exact: true }).click();
      const search = page.getByRole('searchbox', { name: 'Search the messages' });
      await search.press('Control+V');
      await expect.poll(() => search.inputValue(), soon).toBe('needle');
      expect(await page.locator('.engine.before .headline').textContent()).toContain('in 63 messages');
      // Files on the clipboard, as file managers copy them.
      const files = await page.evaluateHandle(
        (text) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], 'copied.json', { type: 'application/json' }));
          return new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true });
        },
        JSON.stringify({ messages: session(20) }),
      );
      await page.evaluate((event) => document.body.dispatchEvent(event), files);
      await page.getByText('in 43 messages').waitFor();
      await expect.poll(() => page.locator('.sample select').textContent(), soon).toContain('copied.json');
    });
  });
}

/**
 * Moves a finger over an element, through the DevTools protocol.
 * @returns what the element's value was on the way
 */
async function slide(page: Page, element: Locator, from: number, to: number): Promise<ReadonlySet<string | null>> {
  const client = await page.context().newCDPSession(page);
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await element.boundingBox())!;
  const values = new Set<string | null>();
  const at = (share: number) => [{ x: x + width * share, y: y + height / 2 }];
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
  for (let step = 1; step <= 10; step++) {
    const touchPoints = at(from + ((to - from) * step) / 10);
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    values.add(await element.getAttribute('aria-valuetext'));
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await client.detach();
  return values;
}

function pictureOf(canvas: Locator): Promise<string> {
  return canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
}
