import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../../../packages/palimpsest/test/comparison/scratch.ts';
import { launch, withoutBrowser } from './browser/chromium.ts';
import { controls } from './browser/controls.ts';
import { feedback } from './browser/feedback.ts';
import { files } from './browser/files.ts';
import { layout } from './browser/layout.ts';
import { layoutStability } from './browser/layout-stability.ts';
import { memory } from './browser/memory.ts';
import { messages } from './browser/messages.ts';
import { pointerAndKeyboard } from './browser/pointer-and-keyboard.ts';
import { reader } from './browser/reader.ts';
import { responseTime } from './browser/response-time.ts';
import { sharing } from './browser/sharing.ts';
import { buildSite, type StaticSite, serveSite } from './browser/static-site.ts';
import { dragAndPaste, touch } from './browser/touch-and-drag.ts';
import { openView, type WebView } from './browser/web-view.ts';

// All tests share one build, one site and one browser. The tests themselves are in `browser/`.
describe.skipIf(withoutBrowser)(`the web view in Chromium${withoutBrowser ? ` (${withoutBrowser})` : ''}`, () => {
  const folder = scratchFolder();
  let site: StaticSite | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [browser] = await Promise.all([launch(), buildSite(folder.path)]);
    site = await serveSite(folder.path);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  type Part = (view: () => WebView) => void;
  const inOneTab = (name: string, parts: readonly Part[], hash = '', options?: BrowserContextOptions): void => {
    describe(name, () => {
      let view: WebView | undefined;
      beforeAll(async () => {
        view = await openView(browser!, `${site!.address}${hash}`, options);
      });
      afterAll(() => view?.close());
      for (const part of parts) part(() => view!);

      it('requests only its own files, without errors or warnings', () => {
        expect(view!.externalRequests).toEqual([]);
        expect(view!.problems).toEqual([]);
      });
    });
  };

  inOneTab('with a sample', [layout, messages, responseTime]);
  inOneTab('with a sample, in another way', [pointerAndKeyboard]);
  inOneTab('with files', [controls, files, reader]);
  const linked = '#session=router-library.json';
  inOneTab('on a phone', [touch], linked, { viewport: { width: 390, height: 844 }, hasTouch: true });
  inOneTab('with a linked sample', [dragAndPaste], linked);
  // Going offline logs browser errors, so this tab is not checked for them.
  describe('with failures', () => {
    let view: WebView | undefined;
    beforeAll(async () => {
      view = await openView(browser!, site!.address);
    });
    afterAll(() => view?.close());
    feedback(() => view!);
  });
  for (const part of [sharing, layoutStability, memory])
    part(
      () => browser!,
      () => site!.address,
    );
});
