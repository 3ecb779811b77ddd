import { fileURLToPath } from 'node:url';
import { launch } from './browser/chromium.ts';
import { buildSite, serveSite } from './browser/static-site.ts';
import { openView } from './browser/web-view.ts';

// Makes the pictures of the page in `docs/` anew: `pnpm --filter @palimpsest/compare run screenshots`.
const site = fileURLToPath(new URL('../web/dist/', import.meta.url));
const docs = new URL('../../../docs/', import.meta.url);

await buildSite(site);
const server = await serveSite(site);
const browser = await launch();
try {
  for (const [name, colorScheme] of [
    ['compare.png', 'light'],
    ['compare-dark.png', 'dark'],
  ] as const) {
    const view = await openView(browser, server.address, {
      viewport: { width: 1200, height: 900 },
      deviceScaleFactor: 1.5,
      colorScheme,
      reducedMotion: 'reduce',
    });
    await view.page.screenshot({ path: fileURLToPath(new URL(name, docs)) });
    await view.close();
  }
} finally {
  await browser.close();
  await server.close();
}
