import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, openPage, withoutBrowser } from '../../../../apps/compare/test/browser/chromium.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { LiveView } from '../../src/live/live-view.ts';
import { checkPage } from '../page-check.ts';
import { chatLoop, messagesLoop } from '../proxy/agent-loops.ts';
import { type RunningProxy, runningProxy } from '../proxy/running-proxy.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';

const task = 'Read all files, and tell no one of the heron.';
const history: object[] = [];

let server: LoopbackServer;
let running: RunningProxy;
beforeAll(async () => {
  server = await startLoopbackServer();
  server.play(scriptedProvider(32_000, 100).script);
  running = await runningProxy(server, { recall: true });
  await chatLoop({ ...running, history, task, rounds: 60 });
  await messagesLoop({ ...running, history: [], task: `${task} Quickly.`, rounds: 4 });
});
afterAll(async () => {
  await running.proxy.close();
  await server.close();
});

describe('the live view of a running proxy', () => {
  it('is a page, or JSON for a client that asks for it', async () => {
    const page = await fetch(running.proxy.url);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const json = await fetch(running.proxy.url, { headers: { accept: 'application/json' } });
    const { conversations } = (await json.json()) as LiveView;
    expect(conversations).toMatchObject([{ requests: 4 }, { compactions: [{ trigger: expect.any(String) }] }]);
  });

  it('adds up to the tokens of the last request', async () => {
    const json = await fetch(running.proxy.url, { headers: { accept: 'application/json' } });
    for (const { now, sizes } of ((await json.json()) as LiveView).conversations) {
      const sum = now.reduce((total, { tokens }) => total + tokens, 0);
      expect(Math.abs(sum - sizes.at(-1)!.tokens)).toBeLessThanOrEqual(now.length);
    }
  });

  it('shows text of a conversation only when it is asked for, and no key', async () => {
    const page = await (await fetch(running.proxy.url)).text();
    expect(JSON.stringify(history)).toMatch(/heron.*file-\d/);
    expect(page).not.toMatch(/heron|test-key|file-\d/);
    const [, id] = /href="\/live\/([^"/]+)"/.exec(page)!;
    expect(await (await fetch(`${running.proxy.url}/live/${id}`)).text()).not.toMatch(/heron|test-key|file-\d/);
    const texts = [1, 2, 3].map(async (at) => (await fetch(`${running.proxy.url}/live/${id}/messages/${at}`)).text());
    expect((await Promise.all(texts)).join('')).toMatch(/file-\d/);
    for (const path of ['/live/unknown', `/live/${id}/messages/999`, `/live/${id}/other`])
      expect((await fetch(`${running.proxy.url}${path}`)).status).toBe(404);
  });

  it.skipIf(withoutBrowser)('draws every message, loads nothing else, and is accessible in all colours', async () => {
    const browser = await launch();
    try {
      const page = await openPage(browser);
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('request', (request) => {
        if (!request.url().startsWith(running.proxy.url)) problems.push(request.url());
      });
      await page.goto(running.proxy.url);
      expect(await page.getByText(/were sent instead of/).textContent()).toMatch(
        /^\d+ compactions? saved \d+ % of the prompt tokens: [\d,]+ were sent instead of [\d,]+\.$/,
      );
      expect(await page.getByText(/^Nothing was compacted yet/).count()).toBe(1);
      const left = page.getByRole('group', { name: 'What left the context' });
      const outcomes = (await left.locator('title').allTextContents()).join('\n');
      expect([...new Set(outcomes.split('\n').map((title) => title.split(': ')[1]))]).toEqual(
        expect.arrayContaining(['summarized by rules']),
      );
      await checkPage(page);
      // Buttons work with the keyboard, and are not printed.
      const pause = page.getByRole('button', { name: 'Pause' }).first();
      await pause.press('Enter');
      await page.getByText(/^\d\d:\d\d:\d\d: Paused: /).waitFor();
      await page.getByRole('button', { name: 'Resume' }).press('Enter');
      await page.getByText(/^\d\d:\d\d:\d\d: Resumed: /).waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await pause.isVisible()).toBe(false);
      await page.emulateMedia({ media: null });
      // A keyboard reaches each message, and the page keeps the place while it is loaded again.
      await page.getByRole('link', { name: /^OpenAI/ }).press('Enter');
      await page.getByText(/messages of the agent's history/).press('Enter');
      const loaded = page.waitForResponse(page.url());
      await loaded;
      const shown = page
        .getByRole('listitem')
        .getByRole('link', { name: /summarized by rules/ })
        .first();
      await shown.waitFor();
      await checkPage(page);
      await shown.press('Enter');
      await page.getByRole('heading', { name: 'The original' }).waitFor();
      await checkPage(page);
      await page.getByRole('link', { name: 'the handoff' }).click();
      await page.getByRole('heading', { name: 'What rules added' }).waitFor();
      await checkPage(page);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
