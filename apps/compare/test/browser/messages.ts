import { beforeAll, describe, expect, it } from 'vitest';
import { soon, type WebView } from './web-view.ts';

const sourceStrip = 'Every message before, by role';

/** Reading messages before and after compaction, by pointer and by keyboard. */
export function messages(shown: () => WebView): void {
  describe('messages', () => {
    let view: WebView;
    beforeAll(() => {
      view = shown();
    });
    const said = (of: string) => view.page.locator(`[data-reading="${of}"]`).textContent();
    const text = (label: string) => view.page.getByLabel(label, { exact: true }).textContent();

    it('shows a message before and after while the pointer is on it', async () => {
      const chosen = await said('source');
      const strip = view.page.getByLabel(sourceStrip);
      const { width } = (await strip.boundingBox())!;
      await strip.hover({ position: { x: width * 0.55, y: 10 } });
      await expect.poll(() => said('source'), soon).not.toBe(chosen);
      const passed = await said('source');
      expect(passed).toMatch(/^Message \d+, .+, [\d,]+ tokens$/);
      await expect.poll(() => text('The message before'), soon).not.toBe('');
      await view.page.mouse.move(0, 0);
      await expect.poll(() => said('source'), soon).toBe(chosen);
    });

    it('shows what an engine wrote, and which messages it replaces', async () => {
      await view.page.getByLabel('compressor: what is left').click({ position: { x: 8, y: 5 } });
      await expect.poll(() => said('compressor'), soon).toMatch(/^Written by the engine, [\d,]+ tokens$/);
      expect(await view.page.getByRole('button', { name: 'Read the handoff' }).count()).toBe(1);
    });

    it('is fully reachable by keyboard, with a visible focus', async () => {
      await view.unfoldSettings();
      // Tab continues from the last click.
      await view.page.getByRole('heading', { level: 1 }).click();
      const stops: string[] = [];
      const unseen: string[] = [];
      for (let presses = 0; presses < 60; presses++) {
        await view.page.keyboard.press('Tab');
        const stop = await view.page.evaluate(() => {
          const { activeElement: at } = document;
          if (!at || at === document.body) return null;
          const label = 'labels' in at ? (at.labels as NodeListOf<HTMLElement>)[0]?.textContent : null;
          return {
            name: at.getAttribute('aria-label') ?? label ?? at.textContent ?? '',
            outlined: getComputedStyle(at).outlineStyle !== 'none',
          };
        });
        if (!stop) break;
        if (!stop.outlined) unseen.push(stop.name);
        stops.push(stop.name);
      }
      expect(unseen).toEqual([]);
      const everything = [
        'Use one in your agent',
        'Open a file',
        ...['Window', 'Threshold', 'Protect', 'Target', 'compressor', 'prune-compact'],
        sourceStrip,
        ...['compressor', 'prune-compact'].flatMap((name) => [
          `${name}: the outcome of every message`,
          `${name}: what is left`,
        ]),
        ...[
          ...['Message', 'The message before'],
          ...['Request', 'Zoom in', 'What is “Window”?'],
          'input',
          'read from cache',
          'written to cache',
          'Copy',
          'Example',
        ],
      ];
      expect(stops).toEqual(expect.arrayContaining(everything));
    });

    it('moves between messages by arrow keys, and announces them', async () => {
      const strip = view.page.getByLabel(sourceStrip);
      await strip.focus();
      await view.page.keyboard.press('Home');
      await view.page.keyboard.press('ArrowRight');
      await expect.poll(() => said('source'), soon).toMatch(/^Message 2, user,/);
      expect(await strip.getAttribute('aria-valuetext')).toMatch(/^message 2 of \d+, user, [\d,]+ tokens$/);
      await view.page.keyboard.press('End');
      await expect
        .poll(() => strip.getAttribute('aria-valuenow'), soon)
        .toBe(await strip.getAttribute('aria-valuemax'));
      const choosing = view.page.waitForEvent('filechooser');
      await view.page.getByRole('button', { name: 'Open a file' }).press('Enter');
      expect((await choosing).isMultiple()).toBe(false);
    });

    it('shows the chosen message again when the focus leaves a strip', async () => {
      const strip = view.page.getByLabel(sourceStrip);
      await strip.focus();
      await view.page.keyboard.press('Home');
      for (let presses = 0; presses < 60; presses++) await view.page.keyboard.press('ArrowRight');
      await expect.poll(() => said('source'), soon).toMatch(/^Message 61,/);
      await view.page.getByLabel('compressor: what is left').focus();
      await expect.poll(() => said('source'), soon).not.toMatch(/^Message 61,/);
      await view.slider('Request').focus();
      await expect.poll(() => said('source'), soon).toMatch(/^Message 61,/);
    });

    it('shows words next to the pointer, and reaches narrow messages by zooming all strips', async () => {
      const strip = view.page.getByLabel(sourceStrip);
      const { width } = (await strip.boundingBox())!;
      await strip.hover({ position: { x: width * 0.3, y: 10 } });
      await expect.poll(() => view.page.locator('.tip').textContent(), soon).toMatch(/^message \d+ of \d+/);
      await view.page.waitForTimeout(100);
      const picture = () =>
        view.page.evaluate(() => [...document.querySelectorAll('canvas')].slice(0, 5).map((one) => one.toDataURL()));
      const whole = await picture();
      await view.page.keyboard.down('Control');
      await view.page.mouse.wheel(0, -900);
      await view.page.keyboard.up('Control');
      await expect.poll(async () => (await picture()).filter((one, at) => one === whole[at]).length, soon).toBe(0);
      const zoomed = new Set<string>();
      for (let x = 2; x < 30; x += 3) {
        await strip.hover({ position: { x, y: 10 } });
        zoomed.add((await view.page.locator('.tip').textContent())!);
      }
      expect(zoomed.size).toBeLessThan(6);
      const button = view.page.getByRole('button', { name: 'Whole' });
      await button.click();
      await expect.poll(() => button.isDisabled(), soon).toBe(true);
      await strip.hover({ position: { x: width * 0.3, y: 10 } });
      await expect.poll(async () => (await picture()).join() === whole.join(), soon).toBe(true);
      await view.page.mouse.move(0, 0);
    });

    it('shows the prompts of an earlier request when the replay is scrubbed', async () => {
      const outcomes = view.page.getByLabel('compressor: the outcome of every message');
      const all = Number(await outcomes.getAttribute('aria-valuemax'));
      await view.slider('Request').press('Home');
      await expect.poll(async () => Number(await outcomes.getAttribute('aria-valuemax')), soon).toBeLessThan(10);
      await expect
        .poll(() => view.page.locator('[data-engine="compressor"] .headline').textContent(), soon)
        .toContain('not compacted yet');
      await view.slider('Request').press('End');
      await expect.poll(async () => Number(await outcomes.getAttribute('aria-valuemax')), soon).toBe(all);
    });

    it('defines its terms', async () => {
      await view.unfoldSettings();
      await view.page.getByRole('button', { name: 'What is “Threshold”?' }).press('Enter');
      const definition = view.page.getByText('The prompt size at which an engine compacts.').first();
      await definition.waitFor();
      await view.page.keyboard.press('Escape');
      await definition.waitFor({ state: 'hidden' });
    });

    it('steps through the replay, and recomputes costs with other prices', async () => {
      const figures = () => view.page.locator('[data-replay="compressor"] td').allTextContents();
      const atEnd = await figures();
      await view.slider('Request').press('Home');
      await expect.poll(async () => (await figures())[0], soon).not.toBe(atEnd[0]);
      expect((await figures()).slice(2)).toEqual(atEnd.slice(2));
      await view.page.getByLabel('read from cache').fill('30');
      const costs = async () => (await figures()).slice(-2).map((cost) => Number(cost.replace(/[$,]/g, '')));
      const plain = Number(atEnd.at(-2)!.replace(/[$,]/g, ''));
      await expect.poll(async () => (await costs())[1], soon).toBeGreaterThan(plain);
      expect((await costs())[0]).toBe(plain);
    });
  });
}
