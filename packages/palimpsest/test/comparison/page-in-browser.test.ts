import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { launch, openPage, withoutBrowser } from '../../../../apps/compare/test/browser/chromium.ts';
import { checkPage } from '../page-check.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;

it.skipIf(withoutBrowser)(
  'the page of compare opens offline, loads nothing, and is accessible in all colours',
  async () => {
    folder.write('long.json', session(40));
    const { code } = await runHere(['compare', 'long.json', '--html', 'page.html'], { cwd });
    expect(code).toBe(0);
    const browser = await launch();
    try {
      const page = await openPage(browser, { offline: true });
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) problems.push(request.url());
      });
      await page.goto(pathToFileURL(`${cwd}/page.html`).href);
      expect(await page.locator('.verdict').textContent()).toMatch(
        /^Without compaction, \d+ of 41 requests would not fit the window; /,
      );
      await checkPage(page);
      // A click on a block of a strip opens its message.
      const message = page.locator('#s1-5');
      expect(await message.isVisible()).toBe(false);
      await page.locator('a[href="#s1-5"]').first().click();
      await message.waitFor();
      expect(await message.textContent()).toContain('export const value1_0');
      // The buttons show the messages of one role.
      const assistants = page.locator('.messages .of-assistant');
      await page.getByRole('radio', { name: 'user', exact: true }).check();
      await page.evaluate(() => {
        location.hash = '';
      });
      expect(await assistants.filter({ visible: true }).count()).toBe(0);
      expect(await page.locator('.messages .of-user').filter({ visible: true }).count()).toBe(1);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  180_000,
);
