import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { patience } from './chromium.ts';

/** The web view in a browser tab. */
export interface WebView {
  readonly page: Page;
  /** Script errors, warnings, and security policy violations. */
  readonly problems: readonly string[];
  /** Requested URLs outside the site. */
  readonly externalRequests: readonly string[];
  /** Waits until all results match the current settings. */
  settled(): Promise<void>;
  /** Waits until all results match these settings. */
  showing(settings: Readonly<Record<string, number | null>>): Promise<void>;
  slider(name: string): Locator;
  /** Unfolds the settings that are hidden at first. */
  unfoldSettings(): Promise<void>;
  tokensBefore(): Promise<number>;
  tokensLeft(engine: string): Promise<number>;
  /** Chooses a file for the page's own file field. */
  give(name: string, content: string | Buffer): Promise<void>;
  close(): Promise<void>;
}

/** Timeout for immediate changes, generous for loaded machines. */
export const soon = { timeout: patience } as const;

export async function openView(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = { viewport: { width: 1440, height: 900 } },
  /** Runs in the page before its own scripts. */
  prepare: () => void = () => {},
): Promise<WebView> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  await context.addInitScript(prepare);
  const page = await context.newPage();
  const site = address.replace(/#.*/, '');
  const problems: string[] = [];
  const externalRequests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !/^(?:blob|data):/.test(url)) externalRequests.push(url);
  });
  await page.goto(address);
  const view: WebView = {
    page,
    problems,
    externalRequests,
    settled: () => page.locator('[role=status][data-settled=true]').waitFor({ state: 'attached' }),
    async showing(settings) {
      await page.waitForFunction((wanted) => {
        const said = document.querySelector('[role=status]')?.getAttribute('data-settings');
        if (!said) return false;
        const shown = JSON.parse(said);
        return Object.entries(wanted).every(([name, value]) => shown[name] === value);
      }, settings);
    },
    slider: (name) => page.getByRole('slider', { name, exact: true }),
    unfoldSettings: () =>
      page.locator('.controls details').evaluate((details) => {
        (details as HTMLDetailsElement).open = true;
      }),
    tokensBefore: async () => numberIn(await page.locator('.engine.before .after').textContent()),
    tokensLeft: async (engine) => numberIn(await page.locator(`[data-engine="${engine}"] .after`).textContent()),
    give: (name, content) =>
      page.locator('#file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) }),
    close: () => context.close(),
  };
  await view.settled();
  return view;
}

function numberIn(text: string | null): number {
  return Number((text ?? '').replaceAll(',', ''));
}
