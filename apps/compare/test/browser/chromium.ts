import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's own first: playwright-core brings no browser. */
const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const executablePath = candidates.find((path) => existsSync(path));

const required = (process.env.PALIMPSEST_REQUIRE ?? '').split(',').includes('browser');

/** Why the browser is not driven; `null` when it is. Where it is required, its absence is a failure instead. */
export const withoutBrowser: string | null =
  executablePath || required ? null : `no Chromium at ${candidates.join(', ')}; apt-get install chromium`;

export function launch(): Promise<Browser> {
  if (!executablePath)
    throw new Error(`PALIMPSEST_REQUIRE names the browser, and there is none at ${candidates.join()}`);
  // Chromium refuses to run its sandbox as root, which is who tests run as in a container.
  return chromium.launch({ executablePath, chromiumSandbox: false });
}
