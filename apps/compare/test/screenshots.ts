import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launch } from './browser/chromium.ts';
import { buildSite, serveSite } from './browser/static-site.ts';
import { openView } from './browser/web-view.ts';

// Makes the pictures of the page in `docs/` anew: `pnpm --filter @palimpsest/compare run screenshots`. `compare` is the whole
// page, `strips` only the session and what each engine makes of it.
const site = fileURLToPath(new URL('../web/dist/', import.meta.url));
const docs = new URL('../../../docs/', import.meta.url);

await buildSite(site);
const server = await serveSite(site);
const browser = await launch();
try {
  for (const [ending, colorScheme] of [
    ['.png', 'light'],
    ['-dark.png', 'dark'],
  ] as const) {
    const view = await openView(browser, server.address, {
      viewport: { width: 1200, height: 900 },
      deviceScaleFactor: 1.5,
      colorScheme,
      reducedMotion: 'reduce',
    });
    const path = (name: string): string => fileURLToPath(new URL(name + ending, docs));
    await view.page.screenshot({ path: path('compare') });
    await view.page.screenshot({ path: path('strips'), clip: await stripsOf(view.page) });
    await view.close();
  }
} finally {
  await browser.close();
  await server.close();
}

/** Where the strips are on the page: from the session to the last engine. */
async function stripsOf(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const engines = page.locator('.results article.engine');
  const first = await engines.first().boundingBox();
  const last = await engines.last().boundingBox();
  if (!first || !last) throw new Error('The page shows no engine.');
  const margin = 12;
  return {
    x: first.x - margin,
    y: first.y - margin,
    width: first.width + 2 * margin,
    height: last.y + last.height - first.y + 2 * margin,
  };
}
