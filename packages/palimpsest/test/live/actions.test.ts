import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { LiveConversation, LiveView } from '../../src/live/live-view.ts';
import { chatLoop } from '../proxy/agent-loops.ts';
import { type RunningProxy, runningProxy } from '../proxy/running-proxy.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';

let server: LoopbackServer;
let running: RunningProxy;
const history: object[] = [];
const loop = (rounds: number): Promise<unknown> => chatLoop({ ...running, history, task: 'Read all files.', rounds });

beforeAll(async () => {
  server = await startLoopbackServer();
  server.play(scriptedProvider(32_000, 200).script);
  running = await runningProxy(server, { recall: true });
  await loop(60);
});
afterAll(async () => {
  await running.proxy.close();
  await server.close();
});

const view = async (): Promise<LiveConversation> => {
  const reply = await fetch(running.proxy.url, { headers: { accept: 'application/json' } });
  return ((await reply.json()) as LiveView).conversations[0]!;
};

/** Presses a button, as a browser does on the page of the proxy unless `headers` say otherwise. */
async function press(action: string, headers: Record<string, string> = {}, token?: string): Promise<number> {
  const { url } = running.proxy;
  const page = await (await fetch(url)).text();
  const [, own] = /name="token" value="(\w+)"/.exec(page)!;
  const { statusCode, body } = await request(`${url}/live/${(await view()).id}/${action}`, {
    method: 'POST',
    body: `token=${token ?? own}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: url,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  });
  await body.dump();
  return statusCode;
}

describe('a button of the live view', () => {
  it.each([
    ['from another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { origin: 'http://127.0.0.1:9', 'sec-fetch-site': 'same-site' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['from a site that its browser calls another', { 'sec-fetch-site': 'cross-site' }],
    ['by a name that points here', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('does nothing %s', async (_, headers) => {
    expect(await press('pause', headers)).toBe(403);
    expect((await view()).mode).toBe('automatic');
  });

  it('does nothing without the token of the page', async () => {
    expect(await press('pause', {}, '')).toBe(403);
    expect(await press('pause', {}, 'f'.repeat(48))).toBe(403);
    expect((await view()).mode).toBe('automatic');
    expect(await press('other')).toBe(404);
  });

  it('pauses, and resumes', async () => {
    expect(await press('pause')).toBe(303);
    expect(await view()).toMatchObject({ mode: 'paused', notice: { words: expect.stringMatching(/^Paused: /) } });
    const { compactsAt, compactions } = await view();
    expect(compactsAt).toBeGreaterThan(32_000 * 0.85);
    expect(await press('resume')).toBe(303);
    expect((await view()).mode).toBe('automatic');
    expect((await view()).compactions).toEqual(compactions);
  });

  it('compacts now, with the next request', async () => {
    const { requests } = await view();
    expect(await press('compact')).toBe(303);
    expect((await view()).notice?.words).toMatch(
      /^Compacted: \d+ -> \d+ messages\. .*takes effect with the next request/,
    );
    await loop(2);
    const after = await view();
    expect(after.requests).toBeGreaterThan(requests);
    expect(after.history[0]!.words).toMatch(/^on request/);
  });

  it('undoes, which pauses', async () => {
    expect(await press('undo')).toBe(303);
    const { mode, notice } = await view();
    expect(notice?.words).toMatch(/was undone/);
    expect(mode).toBe(notice?.words.includes('paused') ? 'paused' : 'automatic');
    await loop(2);
    expect((await view()).history.some(({ words }) => words.endsWith(', undone'))).toBe(true);
  });

  it('searches the whole conversation', async () => {
    const { id } = await view();
    const reply = await fetch(`${running.proxy.url}/live/${id}/search?query=file-3+value7`);
    expect(await reply.text()).toMatch(/Search for .*file-3/s);
    const json = await fetch(`${running.proxy.url}/live/${id}/search?query=%3Cimg%3E`, {
      headers: { accept: 'application/json' },
    });
    expect(await json.json()).toEqual({ words: expect.any(String) });
  });
});
