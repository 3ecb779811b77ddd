import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { launch, withoutBrowser } from './browser/chromium.ts';
import { driving } from './browser/driving.ts';
import { buildSite, type StaticSite, serveSite } from './browser/static-site.ts';
import { scratchFolder } from './scratch.ts';

// One build, one site and one browser for everything: see the files in `browser/` for what is tried.
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
  const here = () => ({ browser: browser!, address: site!.address });

  driving(here);
});
