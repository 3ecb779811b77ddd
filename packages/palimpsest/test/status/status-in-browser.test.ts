import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, openPage, withoutBrowser } from '../../../../apps/compare/test/browser/chromium.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
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

describe('the status page of a running proxy', () => {
  it('is loaded again, unless it is paused', async () => {
    const live = await fetch(running.proxy.url);
    expect(live.headers.get('refresh')).toBe('5');
    const paused = await fetch(`${running.proxy.url}/?paused`);
    expect(paused.headers.get('refresh')).toBeNull();
    expect(paused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const json = await fetch(running.proxy.url, { headers: { accept: 'application/json' } });
    const { conversations } = (await json.json()) as { conversations: unknown[] };
    expect(conversations).toMatchObject([{ requests: 4 }, { compactions: [{ trigger: expect.any(String) }] }]);
  });

  it('shows no text of a conversation and no key', async () => {
    const text = await (await fetch(running.proxy.url)).text();
    expect(JSON.stringify(history)).toMatch(/heron.*file-\d/);
    expect(text).not.toMatch(/heron|test-key|file-\d/);
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
      await page.goto(`${running.proxy.url}/?paused`);
      expect(await page.getByText(/^Compacted/).textContent()).toMatch(
        /^Compacted (?:once|\d+ times): [\d,]+ prompt tokens were not sent \(cost unknown\)\. The prompt has [\d,]+ of 32,000 tokens/,
      );
      expect(await page.getByText(/^Not compacted yet/).count()).toBe(1);
      const strip = page.getByRole('img', { name: 'history: the outcome of every message' }).last();
      const outcomes = (await strip.locator('title').allTextContents()).map((title) => title.split(', ').at(-1));
      // The last request was sent before the last call and its result.
      expect(outcomes).toHaveLength(history.length - 2);
      for (const outcome of ['summarized', 'stubbed or shortened', 'kept']) expect(outcomes).toContain(outcome);
      await checkPage(page);
      await page.getByRole('link', { name: 'Show live' }).click();
      await page.getByRole('link', { name: 'Pause' }).waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
