import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Behaviour,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../../test/loopback-server/index.ts';
import { readableState } from '../../../../../test/stored-state.ts';
import { proxyProgram } from '../../program/proxy-program.ts';
import { loops } from '../agent-loops.ts';
import { isPage, listOf, pageAnswer, pageProvider } from './page-provider.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-killed-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const task = 'Read all files.';
const [window, rounds] = [40_000, 60];
/** Characters of a request that is almost long enough for a page. */
const longText = 88_000;
const pageText = (number: number): string => `## Goal\nPage ${number}: the files are read one after the other.`;

/** A promise, and what resolves it. */
function signal<T = void>(): { readonly is: Promise<T>; readonly give: (value: T) => void } {
  let give: (value: T) => void = () => undefined;
  const is = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { is, give };
}

/** True if a compaction with a number, and what finds its conversation, are in the files of a folder. */
function isStored(folder: string, number: number): boolean {
  const names = readdirSync(folder).filter((name) => /^palimpsest\.session\.[^.]+$/.test(name));
  const texts = names.map((name) => readableState(readFileSync(join(folder, name), 'utf8')));
  return (
    names.some((name) => name.includes('opening-')) &&
    texts.some((text) => text.includes(`"number":${number},"parent":`))
  );
}

describe.each(Object.entries(loops))('the program with a state folder, killed on %s', (name, loop) => {
  it.each([
    { killed: 'before the first page has arrived, asks for it again', at: 1, arrives: false, isStreamed: true },
    { killed: 'before a later page has arrived, asks for it again', at: 2, arrives: false, isStreamed: false },
    { killed: 'before the first page is used, uses it', at: 1, arrives: true, isStreamed: false },
    { killed: 'before a later page is used, uses it', at: 2, arrives: true, isStreamed: true },
  ])('$killed, and loses nothing', async ({ at, arrives, isStreamed }) => {
    const page = signal<Behaviour>();
    const waiting = signal<Received>();
    let isKilled = false;
    const { log, pages, script } = pageProvider({
      window,
      rounds,
      wordTokens: 600,
      page: (_, number) => (number === at ? page.is : pageAnswer(pageText(number))),
    });
    server.play(async (request) => {
      if (isPage(request)) return script(request);
      // A model takes its time, in which the program asks for a page.
      if (request.text.length > longText) await setTimeout(300);
      if (pages.length < at || isKilled) return script(request);
      // The first request after the page was asked for is never answered.
      waiting.give(request);
      return { kind: 'stall', at: isStreamed ? 'middle' : 'start' };
    });
    const state = join(folder, `${name}-${at}-${arrives}`);
    const start = () => proxyProgram(server, ['--window', String(window), '--store', state], folder);
    const history: object[] = [];
    const first = await start();
    const working = loop({ ...first, history, task, maxTokens: 4_000, isStreamed });
    const last = await waiting.is;
    if (arrives) {
      page.give(pageAnswer(pageText(at)));
      await vi.waitUntil(() => isStored(state, at), 15_000);
    }
    isKilled = true;
    first.program.process.kill('SIGKILL');
    await expect(working).rejects.toThrow();
    await first.program.ended;
    const before = server.received.length;
    const second = await start();
    await loop({ ...second, history, task, maxTokens: 4_000, isStreamed });
    const [conversation, ...others] = await second.conversations();
    second.program.process.kill('SIGKILL');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(log.refused).toEqual([]);
    expect(log.prompts).toHaveLength(rounds + 1);
    expect(JSON.stringify(history.at(-1))).toContain('All done.');
    const after = server.received.slice(before);
    const ofPage = `Page ${at}: the files`;
    if (arrives) {
      expect(after[0]!.text).toContain(ofPage);
      expect(after.slice(0, 4).some(isPage)).toBe(false);
    } else {
      // The agent's next request is the same as the one that was not answered.
      expect(listOf(after[0]!)).toEqual(listOf(last));
      // The page is asked for again, and used.
      expect(after.some(isPage)).toBe(true);
    }
    expect(after.at(-1)!.text).toContain('Page');
    expect(others).toEqual([]);
    expect(arrives || conversation!.compactions.some(({ modelCalls }) => modelCalls === 1)).toBe(true);
    for (const request of after.filter((one) => !isPage(one))) {
      expect(request.text.split(/Page \d+: the files/).length).toBeLessThan(3);
      if (!arrives) expect(request.text).not.toContain(ofPage);
      expect(request.text).toContain(task);
    }
  });
});
