import { beforeAll, describe, expect, it } from 'vitest';
import type { WebView } from './web-view.ts';

interface Turned {
  /** Time from the slider's event until the whole page is updated and painted. */
  readonly ms: number;
  /** The longest main-thread task of 50 ms or more. */
  readonly longestTaskMs: number;
}

/** Maximum main-thread blocking, generous for loaded machines. The measured value is printed. */
const generousMs = 2_000;

/** Response times: printed, with bounds loose enough for a loaded machine. */
export function responseTime(shown: () => WebView): void {
  describe('response time', () => {
    let view: WebView;
    beforeAll(async () => {
      view = shown();
      expect(await view.tokensBefore()).toBeGreaterThan(150_000);
    });

    it('shows other settings without freezing', async () => {
      const sliders = ['Window', 'Protect'];
      await view.unfoldSettings();
      const jumps: Turned[] = [];
      for (const slider of sliders) jumps.push(await turn(view, slider, 7));
      const steps: Turned[] = [];
      for (const slider of sliders) steps.push(await turn(view, slider, -1));
      const milliseconds = (turns: readonly Turned[]) => `${turns.map(({ ms }) => Math.round(ms)).join(', ')} ms`;
      const longest = Math.max(...[...jumps, ...steps].map(({ longestTaskMs }) => longestTaskMs));
      console.log(
        `web view, ${await view.tokensBefore()} tokens, from a slider to the picture: ${milliseconds(jumps)} for a jump, ` +
          `${milliseconds(steps)} for a step; the page's thread was busy for ${Math.round(longest)} ms at most`,
      );
      expect(longest).toBeLessThan(generousMs);
    });
  });
}

function turn({ page }: WebView, name: string, by: number): Promise<Turned> {
  return page.evaluate(
    ([label, steps]) =>
      new Promise<Turned>((resolve) => {
        let longestTaskMs = 0;
        const tasks = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
        });
        tasks.observe({ type: 'longtask' });
        const status = document.querySelector<HTMLElement>('[role=status]')!;
        const before = status.dataset.settings;
        const started = performance.now();
        const watching = new MutationObserver(() => {
          if (!status.dataset.settings || status.dataset.settings === before) return;
          watching.disconnect();
          // A timer set in a frame's callback fires after that frame is painted.
          requestAnimationFrame(() =>
            setTimeout(() => {
              tasks.disconnect();
              resolve({ ms: performance.now() - started, longestTaskMs });
            }),
          );
        });
        watching.observe(status, { attributes: true });
        const slider = [...document.querySelectorAll<HTMLInputElement>('input[type=range]')].find(
          ({ labels }) => labels?.[0]?.textContent === label,
        )!;
        slider.value = String(Number(slider.value) + steps);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    [name, by] as const,
  );
}
