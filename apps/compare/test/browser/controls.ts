import { beforeAll, describe, expect, it } from 'vitest';
import { session } from '../../../../packages/palimpsest/test/comparison/session.ts';
import type { WebView } from './web-view.ts';

/** Common interactions: choose a session, drop a file, move a slider, look at a message. */
export function controls(shown: () => WebView): void {
  describe('controls', () => {
    let view: WebView;
    beforeAll(() => {
      view = shown();
    });

    it('starts with the largest sample and shows each engine’s result', async () => {
      const before = await view.tokensBefore();
      expect(before).toBeGreaterThan(150_000);
      for (const engine of ['compressor', 'prune-compact']) {
        const left = await view.tokensLeft(engine);
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThan(before);
      }
    });

    it('changes numbers, strips and replay when a slider is moved by keyboard', async () => {
      const seen = () => pictureOf(view);
      const first = await seen();
      await view.slider('Window').focus();
      await view.page.keyboard.press('PageDown');
      await view.page.keyboard.press('ArrowLeft');
      await view.page.waitForFunction((old) => {
        const said = document.querySelector('[role=status]')?.getAttribute('data-settings');
        return said && said !== old;
      }, first.settings);
      const second = await seen();
      for (const part of ['settings', 'numbers', 'strips', 'replay', 'chart'] as const)
        expect(second[part], part).not.toBe(first[part]);
    });

    it('reads a file that is dropped on it', async () => {
      const text = JSON.stringify({ id: 'dropped', messages: session(90) });
      const data = await view.page.evaluateHandle((content) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], 'dropped-session.json', { type: 'application/json' }));
        return transfer;
      }, text);
      await view.page.dispatchEvent('body', 'dragover', { dataTransfer: data });
      await view.page.locator('main.dropping').waitFor();
      await view.page.dispatchEvent('body', 'drop', { dataTransfer: data });
      await view.page.getByText('183 messages').waitFor();
      await view.settled();
      expect(await view.page.getByLabel('Session').first().textContent()).toContain('dropped-session.json');
    });
  });
}

/** Everything that a change of settings should update. */
async function pictureOf({
  page,
}: WebView): Promise<Record<'settings' | 'numbers' | 'strips' | 'replay' | 'chart', string>> {
  return page.evaluate(() => {
    const texts = (selector: string): string =>
      [...document.querySelectorAll(selector)].map((element) => element.textContent).join('\n');
    const images = (selector: string): string =>
      [...document.querySelectorAll<HTMLCanvasElement>(selector)].map((canvas) => canvas.toDataURL()).join('\n');
    return {
      settings: document.querySelector('[role=status]')?.getAttribute('data-settings') ?? '',
      numbers: texts('[data-engine] header, .verdict'),
      strips: images('[data-engine] canvas.strip'),
      replay: texts('[data-replay]'),
      chart: [...document.querySelectorAll('.chart svg')].map((svg) => svg.innerHTML).join('\n'),
    };
  });
}
