import { beforeAll, describe, expect, it } from 'vitest';
import { soon, type WebView } from './web-view.ts';

const sourceStrip = 'Every message before, by role';

/** What the other tests use in one way only is used here in the other, too: by pointer and by keyboard. */
export function pointerAndKeyboard(shown: () => WebView): void {
  describe('pointer and keyboard', () => {
    let view: WebView;
    beforeAll(() => {
      view = shown();
    });
    const tab = (name: string) => view.page.getByRole('tab', { name, exact: true });
    const settings = () => view.page.locator('[role=status]').getAttribute('data-settings');

    it('says first which engine to choose, and why', async () => {
      const verdict = view.page.getByRole('region', { name: 'Verdict' });
      const text = await verdict.textContent();
      expect(text).toMatch(
        /^Without compaction, 31 of 123 requests would not fit the window; with each engine, all do\. compressor is cheaper: \$2\.16 instead of \$3\.24\./,
      );
      expect(text).toContain('Choose prune-compact if exact names matter more.');
      const top = async (name: string) => (await view.page.getByRole('region', { name }).boundingBox())!.y;
      expect(await top('Verdict')).toBeLessThan(await top('Settings'));
      expect(await top('Verdict')).toBeLessThan(await top('Comparison'));
    });

    it('judges only the engines that are chosen, by click and by Space', async () => {
      const box = view.page.getByRole('checkbox', { name: 'prune-compact' });
      await box.click();
      await expect.poll(() => view.page.locator('[data-engine]').count(), soon).toBe(1);
      expect(await view.page.getByLabel('Verdict').textContent()).toMatch(
        /^Without compaction, 31 of 123 requests would not fit the window; with compressor, all do\. +compressor loses \d+ of the \d+ exact names/,
      );
      await box.press('Space');
      await expect.poll(() => view.page.locator('[data-engine]').count(), soon).toBe(2);
    });

    it('zooms all strips with + and -, and moves with the arrow keys', async () => {
      const strip = view.page.getByLabel(sourceStrip);
      const picture = (label: string) =>
        view.page.getByLabel(label).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
      const pictures = () => Promise.all([picture(sourceStrip), picture('compressor: the outcome of every message')]);
      await strip.press('Home');
      let whole = await pictures();
      // The strips are painted after the key. They are done when two pictures in a row are the same.
      const isStill = async (): Promise<boolean> => {
        const before = whole.join();
        whole = await pictures();
        return whole.join() === before;
      };
      await expect.poll(isStill, { ...soon, interval: 300 }).toBe(true);
      for (let times = 0; times < 4; times++) await strip.press('+');
      await expect.poll(async () => (await pictures()).filter((one, at) => one === whole[at]).length, soon).toBe(0);
      const start = await pictures();
      await strip.press('End');
      await expect.poll(async () => (await pictures()).filter((one, at) => one === start[at]).length, soon).toBe(0);
      await strip.press('0');
      await strip.press('Home');
      await expect.poll(async () => (await pictures()).join() === whole.join(), soon).toBe(true);
    });

    it('keeps the reader in view while the page is scrolled', async () => {
      await view.page
        .getByRole('region', { name: 'Replay', exact: true })
        .evaluate((replay) => replay.scrollIntoView());
      const { y, height } = (await view.page.getByRole('tabpanel').boundingBox())!;
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(view.page.viewportSize()!.height);
      await view.page.evaluate(() => scrollTo(0, 0));
    });

    it('folds and unfolds the handoff by click and by Enter, and opens it side by side by click', async () => {
      await tab('Handoff').click();
      const section = view.page.locator('.handoff-documents details.handoff-section').first();
      await section.waitFor();
      const isOpen = () => section.evaluate((element) => (element as HTMLDetailsElement).open);
      expect(await isOpen()).toBe(true);
      await section.locator('summary').click();
      await expect.poll(isOpen, soon).toBe(false);
      await section.locator('summary').press('Enter');
      await expect.poll(isOpen, soon).toBe(true);
      await view.page.getByRole('button', { name: 'Side by side' }).click();
      await view.page.getByRole('dialog', { name: 'Handoffs side by side' }).waitFor();
      await view.page.keyboard.press('Escape');
      await tab('Handoff').press('ArrowLeft');
      await expect.poll(() => tab('Message').getAttribute('aria-selected'), soon).toBe('true');
    });

    it('defines a term of the verdict by click', async () => {
      await view.page.getByRole('button', { name: 'exact names' }).click();
      const definition = view.page.getByText(/^Names, paths, URLs and hashes in user/).first();
      await definition.waitFor();
      await view.page.mouse.click(5, 5);
      await definition.waitFor({ state: 'hidden' });
    });

    it('leads to the instructions by keyboard', async () => {
      await view.page.getByRole('button', { name: 'Use one in your agent' }).press('Enter');
      expect(await view.page.evaluate(() => document.activeElement?.id)).toBe('install');
      await view.page.keyboard.press('Tab');
      expect(await view.page.evaluate(() => document.activeElement?.textContent)).toBe('Copy');
      await view.page.evaluate(() => scrollTo(0, 0));
    });

    it('exports by keyboard', async () => {
      await view.page.getByRole('button', { name: 'Export' }).press('Enter');
      const item = view.page.getByRole('button', { name: /^Report/ });
      const [file] = await Promise.all([view.page.waitForEvent('download'), item.press('Enter')]);
      expect(file.suggestedFilename()).toMatch(/\.html$/);
    });

    it('moves a slider with the mouse, and resets it by keyboard', async () => {
      const before = await settings();
      const { x, y, width, height } = (await view.slider('Window').boundingBox())!;
      const { mouse } = view.page;
      await mouse.move(x + width * 0.65, y + height / 2);
      await mouse.down();
      await mouse.move(x + width * 0.25, y + height / 2, { steps: 6 });
      await mouse.up();
      await view.settled();
      await expect.poll(settings, soon).not.toBe(before);
      await view.page.getByRole('button', { name: 'Reset to defaults' }).press('Enter');
      await view.settled();
      await expect.poll(settings, soon).toBe(before);
    });
  });
}
