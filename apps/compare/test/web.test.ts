import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calm } from './browser/calm.ts';
import { launch, withoutBrowser } from './browser/chromium.ts';
import { driving } from './browser/driving.ts';
import { files } from './browser/files.ts';
import { honest } from './browser/honest.ts';
import { looking } from './browser/looks.ts';
import { reading } from './browser/reading.ts';
import { speed } from './browser/speed.ts';
import { buildSite, type StaticSite, serveSite } from './browser/static-site.ts';
import { openView, type WebView } from './browser/web-view.ts';
import { scratchFolder } from './scratch.ts';

// All tests share one build, one site and one browser. The tests themselves are in `browser/`.
describe.skipIf(withoutBrowser)(`the web view in Chromium${withoutBrowser ? ` (${withoutBrowser})` : ''}`, () => {
  const folder = scratchFolder();
  let site: StaticSite | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [browser] = await Promise.all([launch(), buildSite(folder.path)]);
    site = await serveSite(folder.path);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const inOneTab = (name: string, ...parts: readonly ((view: () => WebView) => void)[]): void => {
    describe(name, () => {
      let view: WebView | undefined;
      beforeAll(async () => {
        view = await openView(browser!, site!.address);
      }, 60_000);
      afterAll(() => view?.close());
      for (const part of parts) part(() => view!);

      it('requests only its own files, without errors or warnings', () => {
        expect(view!.strayed).toEqual([]);
        expect(view!.problems).toEqual([]);
      });
    });
  };

  inOneTab('with a sample', looking, reading, speed);
  inOneTab('with files', driving, files);
  // Going offline logs browser errors, so this tab is not checked for them.
  describe('with failures', () => {
    let view: WebView | undefined;
    beforeAll(async () => {
      view = await openView(browser!, site!.address);
    }, 60_000);
    afterAll(() => view?.close());
    honest(() => view!);
  });
  calm(
    () => browser!,
    () => site!.address,
  );
});
