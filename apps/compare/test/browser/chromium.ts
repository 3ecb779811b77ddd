import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Debian's Chromium is preferred. playwright-core includes no browser. */
const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const executablePath = candidates.find((path) => existsSync(path));

const required = (process.env.PALIMPSEST_REQUIRE ?? '').split(',').includes('browser');

/** Why the browser tests are skipped; `null` if they run. If the browser is required, its absence is a failure. */
export const withoutBrowser: string | null =
  executablePath || required ? null : `no Chromium at ${candidates.join(', ')}; apt-get install chromium`;

export function launch(): Promise<Browser> {
  if (!executablePath)
    throw new Error(`PALIMPSEST_REQUIRE names the browser, and there is none at ${candidates.join()}`);
  // Chromium's sandbox does not run as root, which is the user in containers.
  return chromium.launch({ executablePath, chromiumSandbox: false });
}

/** Milliseconds that a page may take for anything. A guard against hanging only: a busy machine is no failure. */
export const patience = 120_000;

export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(patience);
  return page;
}
