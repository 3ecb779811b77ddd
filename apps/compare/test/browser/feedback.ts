import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { session } from '../../../../packages/palimpsest/test/comparison/session.ts';
import { soon, type WebView } from './web-view.ts';

/** Feedback on failed loads, invalid input, and settings that change nothing. */
export function feedback(shown: () => WebView): void {
  describe('feedback', () => {
    let view: WebView;
    beforeAll(() => {
      view = shown();
    });
    afterEach(() => view.page.context().setOffline(false));
    const problem = () => view.page.locator('.source .problem').textContent();
    const sampleSelect = () => view.page.locator('.sample select');
    const chosen = () => sampleSelect().evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]!.text);
    const remarks = () => view.page.locator('[data-engine="compressor"] .remark').allTextContents();

    it('keeps the name of a session together with its figures when another cannot be loaded', async () => {
      const before = [await chosen(), await view.page.locator('.about').textContent(), await view.tokensBefore()];
      await view.page.context().setOffline(true);
      await sampleSelect().selectOption({ index: 0 });
      await expect.poll(problem, soon).toMatch(/could not be loaded; check the connection/);
      await expect.poll(chosen, soon).toBe(before[0]);
      expect([await chosen(), await view.page.locator('.about').textContent(), await view.tokensBefore()]).toEqual(
        before,
      );
    });

    it('keeps both when a file cannot be read', async () => {
      const before = [await chosen(), await view.tokensBefore()];
      await view.give('broken.json', '{"messages": [');
      await expect.poll(problem, soon).toContain('broken.json');
      expect([await chosen(), await view.tokensBefore()]).toEqual(before);
    });

    it('reports which of several dropped files it reads', async () => {
      const texts = [40, 50].map((turns) => JSON.stringify({ messages: session(turns) }));
      const data = await view.page.evaluateHandle((contents) => {
        const transfer = new DataTransfer();
        for (const [index, text] of contents.entries())
          transfer.items.add(new File([text], `dropped-${index}.json`, { type: 'application/json' }));
        return transfer;
      }, texts);
      await view.page.dispatchEvent('body', 'drop', { dataTransfer: data });
      await expect.poll(problem, soon).toBe('2 files were given, but only one is read at a time: dropped-0.json');
      await view.settled();
      expect(await view.page.locator('.engine.before .headline').textContent()).toContain('in 83 messages');
    });

    it('says what is wrong with the first of several files', async () => {
      const data = await view.page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        for (const name of ['first.json', 'second.json']) transfer.items.add(new File(['{"messages": ['], name));
        return transfer;
      });
      await view.page.dispatchEvent('body', 'drop', { dataTransfer: data });
      await expect.poll(problem, soon).toMatch(/^first\.json, line 1: .* is cut off/);
      await expect.poll(() => view.page.locator('.sample select').isEnabled(), soon).toBe(true);
      expect(await problem()).toContain('is cut off');
    });

    it('says when the browser does not start the engines', async () => {
      const page = await view.page.context().newPage();
      await page.addInitScript(() => {
        const { Worker: Original } = globalThis;
        globalThis.Worker = class extends Original {
          constructor() {
            super(URL.createObjectURL(new Blob(['throw new Error("blocked")'])));
          }
        };
      });
      await page.goto(view.page.url());
      await page.getByRole('alert').getByText('Allow this page to start web workers, and reload it.').waitFor(soon);
      await page.close();
    });

    it('says when a text cannot be copied', async () => {
      await view.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      await view.page.locator('#install').getByRole('button', { name: 'Copy' }).click();
      await view.page.locator('#install').getByRole('button', { name: 'Not copied' }).waitFor(soon);
    });

    it('reports when the threshold is not reached, and when the result does not fit the window', async () => {
      await view.slider('Window').press('End');
      await view.settled();
      await expect
        .poll(remarks, soon)
        .toEqual([expect.stringMatching(/^unchanged: the prompt has [\d,]+ tokens, and the threshold is [\d,]+$/)]);
      // A request larger than the window is not cut.
      const messages = session(20);
      messages[1] = { role: 'user', content: 'Read all of this. '.repeat(4_000) };
      await view.give('large-task.json', JSON.stringify({ messages }));
      await view.page.getByText('in 43 messages').waitFor();
      await view.settled();
      await view.slider('Window').press('Home');
      await view.settled();
      await expect.poll(remarks, soon).toContainEqual(expect.stringMatching(/do not fit into the window/));
    });

    it('says when no engine would run yet, and resets all settings', async () => {
      await view.give('small.json', JSON.stringify({ messages: session(2) }));
      await view.page.getByText('in 7 messages').waitFor();
      await view.settled();
      expect(await view.page.getByLabel('Verdict').textContent()).toContain('No engine would run yet');
      await view.give('longer.json', JSON.stringify({ messages: session(150) }));
      await view.page.getByText('in 303 messages').waitFor();
      await view.settled();
      await view.slider('Window').press('Home');
      await view.page.getByText('More settings').press('Enter');
      await view.slider('Protect').press('End');
      await view.settled();
      await view.page.getByRole('button', { name: 'Reset to defaults' }).click();
      await view.settled();
      expect(await view.slider('Protect').count()).toBe(0);
      await view.unfoldSettings();
      expect(await view.slider('Protect').inputValue()).toBe('0');
    });

    it('rejects an invalid price and reports which one it uses', async () => {
      const price = view.page.getByLabel('read from cache');
      await price.fill('-1');
      await expect
        .poll(() => view.page.locator('.prices .problem').textContent(), soon)
        .toBe('A price is a number from 0 to 1,000. The costs above use the last valid one.');
      expect(await price.getAttribute('aria-invalid')).toBe('true');
      await price.fill('0.4');
      await expect.poll(() => view.page.locator('.prices .problem').textContent(), soon).toBe('');
      // Another session is priced the same, and says so.
      await view.give('next.json', JSON.stringify({ messages: session(30) }));
      await view.page.getByText('in 63 messages').waitFor();
      expect(await price.inputValue()).toBe('0.4');
    });

    it('shows its controls in the colours that the system forces, and blocks in their own', async () => {
      const fills = () =>
        view.page.evaluate(() => [
          ...new Set([...document.querySelectorAll('.swatch')].map((one) => getComputedStyle(one).backgroundColor)),
        ]);
      const own = await fills();
      expect(own.length).toBeGreaterThan(5);
      await view.unfoldSettings();
      await view.page.emulateMedia({ forcedColors: 'active' });
      for (const name of ['Window', 'Threshold']) expect(await coloursOf(name)).toBeGreaterThan(1);
      expect(await fills()).toEqual(own);
      expect(await view.page.getByLabel('Every message before, by role').evaluate(hasYellow)).toBe(true);
      await view.page.emulateMedia({ forcedColors: null });
    });

    /** The number of colours in a screenshot of a slider. A single colour means it is invisible. */
    async function coloursOf(slider: string): Promise<number> {
      const picture = await view.slider(slider).screenshot();
      return view.page.evaluate(async (base64) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
        return new Set(pixels).size;
      }, picture.toString('base64'));
    }
  });
}

/** Whether a strip shows the yellow of tool results in the page's own palette. */
function hasYellow(canvas: Element): boolean {
  const { width, height } = canvas as HTMLCanvasElement;
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at]! > 150 && data[at + 1]! > 120 && data[at + 2]! < 130 && data[at + 3]! > 200) return true;
  return false;
}
