import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page, PageScreenshotOptions } from 'playwright-core';
import { launch } from './browser/chromium.ts';
import { buildSite, serveSite } from './browser/static-site.ts';
import { openView, type WebView } from './browser/web-view.ts';

// Makes the pictures of the page in `docs/` and in this app: `pnpm --filter @palimpsest/compare run screenshots`.
const site = fileURLToPath(new URL('../web/dist/', import.meta.url));
const docs = new URL('../../../docs/', import.meta.url);
const pictures = new URL('../pictures/', import.meta.url);

interface Picture {
  readonly file: URL;
  readonly options?: BrowserContextOptions;
  /** The session, settings and request to show. @default the page as it opens */
  readonly address?: string;
  prepare?(view: WebView): Promise<void>;
  /** The part of the page to show. @default what fits the window */
  clip?(page: Page): Promise<Clip>;
}

type Clip = NonNullable<PageScreenshotOptions['clip']>;

const wanted: readonly Picture[] = [
  { file: new URL('compare.png', docs), options: { deviceScaleFactor: 1.5 } },
  { file: new URL('compare-dark.png', docs), options: { deviceScaleFactor: 1.5, colorScheme: 'dark' } },
  { file: new URL('strips.png', docs), options: { deviceScaleFactor: 1.5 }, clip: stripsOf },
  { file: new URL('strips-dark.png', docs), options: { deviceScaleFactor: 1.5, colorScheme: 'dark' }, clip: stripsOf },
  {
    file: new URL('handoffs.png', pictures),
    address: '#session=router-library.json',
    async prepare({ page }) {
      await page.getByRole('tab', { name: 'Handoff', exact: true }).click();
      await page.getByRole('button', { name: 'Side by side' }).click();
      await page.getByRole('region', { name: 'The handoff of prune-compact' }).locator('.line').first().waitFor();
    },
  },
  {
    file: new URL('messages.png', pictures),
    address: '#session=esm-migration.json&request=95',
    async prepare({ page }) {
      await page.getByRole('tab', { name: 'All messages', exact: true }).click();
      await page.getByLabel('Role', { exact: true }).selectOption('assistant');
      await page.getByText(/ of 410 messages$/).waitFor();
    },
  },
  { file: new URL('phone.png', pictures), options: { viewport: { width: 390, height: 844 } } },
];

await buildSite(site);
mkdirSync(pictures, { recursive: true });
const server = await serveSite(site);
const browser = await launch();
try {
  for (const { file, options, address = '', prepare, clip } of wanted) {
    const viewport = { width: 1200, height: 900 };
    const view = await openView(browser, `${server.address}${address}`, {
      viewport,
      reducedMotion: 'reduce',
      ...options,
    });
    await prepare?.(view);
    await view.page.evaluate(() => document.fonts.ready);
    const part = clip && { clip: await clip(view.page) };
    await view.page.screenshot({ path: fileURLToPath(file), ...part });
    await view.close();
  }
} finally {
  await browser.close();
  await server.close();
}

/** Where the strips are on the page: from the session to the last engine. */
async function stripsOf(page: Page): Promise<Clip> {
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
