import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, withoutBrowser } from '../../apps/compare/test/browser/chromium.ts';
import { type StaticSite, serveSite } from '../../apps/compare/test/browser/static-site.ts';

/** The built site: `npm run docs` builds it and runs this. */
const dist = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));
if (!existsSync(dist)) throw new Error('There is no built site. Run "npm run docs".');
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.html') && file !== '404.html')
  .map((file) => file.replaceAll('\\', '/'));
/** Set to a folder to save a screenshot of each page there. */
const pictures = process.env.PALIMPSEST_PICTURES;
/** Pages that are made in the same way as others: one of each kind is enough. */
const alike = /^(?:api|changes|decisions|packages)\/(?!provider-errors\.html|plans-are-data\.html)/;
const written = files.filter((file) => !alike.test(file));

describe('the links of the site', () => {
  const texts = new Map(files.map((file) => [file, readFileSync(join(dist, file), 'utf8')]));
  const ids = new Map([...texts].map(([file, text]) => [file, new Set(matches(text, /\sid="([^"]+)"/g))]));

  it.each(files)('of %s lead to a page and a heading', (file) => {
    const broken = matches(texts.get(file)!, /<a [^>]*href="([^"]+)"/g).filter((link) => {
      const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site/${file}`);
      if (origin !== 'http://site') return false;
      const target = pathname.slice(1).replace(/(?:^|\/)$/, '$&index.html');
      if (!target.endsWith('.html')) return !existsSync(join(dist, target));
      return !ids.has(target) || (hash !== '' && !ids.get(target)!.has(decodeURIComponent(hash.slice(1))));
    });
    expect([...new Set(broken)]).toEqual([]);
  });
});

it.each(written)('%s has no Markdown that was not read as such', (file) => {
  const text = readFileSync(join(dist, file), 'utf8')
    .replace(/<(pre|code|script|style|head)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ');
  expect(matches(text, /(.{0,40}(?:`|\*\*\w|\]\().{0,40})/g)).toEqual([]);
});

describe.skipIf(withoutBrowser)(`the site in Chromium${withoutBrowser ? ` (${withoutBrowser})` : ''}`, () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const elsewhere: string[] = [];
  const errors: string[] = [];
  let site: StaticSite;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serveSite(dist, '/')]);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(site.address) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  const open = (file: string) => page.goto(site.address + file, { waitUntil: 'load' });

  it.each(['COMPACTION_EXHAUSTED', 'prompt is too long', 'undo', 'Ollama', 'createContextFetch'])(
    'finds %s',
    async (words) => {
      await open('index.html');
      // The box begins with the words of the last search.
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      const box = page.locator('#localsearch-input');
      // A page that has loaded listens to its keys a moment later.
      await expect.poll(() => page.keyboard.press('Control+k').then(() => box.isVisible())).toBe(true);
      await box.fill(words);
      const first = page.locator('.VPLocalSearchBox .result').first();
      await first.waitFor();
      await first.click();
      await page.waitForFunction(() => location.pathname !== '/index.html');
      expect(await page.locator('main').textContent()).toContain(words);
    },
  );

  it('switches to dark and remembers it', async () => {
    await open('choose-an-engine.html');
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
    expect(await isDark()).toBe(false);
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click();
    expect(await isDark()).toBe(true);
    await open('index.html');
    expect(await isDark()).toBe(true);
    await page.evaluate(() => localStorage.clear());
  });

  it.each(files)('%s fits a phone', async (file) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(file);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it.each(written)('%s is accessible, light and dark', async (file) => {
    await open(file);
    await page.evaluate(axe);
    for (const dark of [false, true]) {
      await page.evaluate((on) => document.documentElement.classList.toggle('dark', on), dark);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
          // The search button shows its shortcut, too.
          rules: { 'label-content-name-mismatch': { enabled: false } },
        }),
      );
      if (pictures)
        await page.screenshot({ path: join(pictures, `${file.replaceAll('/', '-')}-${dark ? 'dark' : 'light'}.png`) });
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
    }
  });

  it('asks no other host and has no errors', () => {
    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
  });
});

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!);
}
