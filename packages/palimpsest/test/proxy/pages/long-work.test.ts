import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../../test/loopback-server/index.ts';
import { proxyProgram } from '../../program/proxy-program.ts';
import { loops } from '../agent-loops.ts';
import { isPage, pageAnswer, pageProvider } from './page-provider.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-long-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const [window, tasks, roundsPerTask] = [40_000, 10, 20];
const rule = (number: number): string => `Never edit legacy-${number}.ts.`;
const task = (number: number): string => `Task ${number}: read the next files. ${rule(number)}`;
const pageText = (number: number): string =>
  `## Goal\nPage ${number}: the files are read one after the other.\n\n## Key Decisions\n- Decision ${number}, because the files are long.`;

describe.each(Object.entries(loops))('200 rounds with the program, on %s', (_, loop) => {
  it('are refused nothing, wait for no page, and keep what the user said', async () => {
    const rounds = tasks * roundsPerTask;
    // A page arrives after one further request of the agent.
    let writing: { left: number; readonly arrive: () => void } | null = null;
    const { log, pages, script } = pageProvider({
      window,
      rounds,
      roundsPerTask,
      wordTokens: 600,
      page: (__, number) =>
        new Promise<Behaviour>((resolve) => {
          writing = { left: 1, arrive: () => resolve(pageAnswer(pageText(number))) };
        }),
    });
    let whileWriting = 0;
    server.play((request) => {
      if (isPage(request)) return script(request);
      if (writing) whileWriting++;
      if (writing && --writing.left < 0) {
        writing.arrive();
        writing = null;
      }
      return script(request);
    });
    const running = await proxyProgram(server, ['--window', String(window)], folder);
    const history: object[] = [];
    for (let number = 1; number <= tasks; number++) {
      if (number > 1) history.push({ role: 'user', content: task(number) });
      await loop({ ...running, history, task: task(1), maxTokens: 4_000 });
    }
    const [conversation, ...others] = await running.conversations();
    running.program.process.kill('SIGKILL');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(log.refused).toEqual([]);
    expect(log.prompts).toHaveLength(rounds + tasks);
    expect(others).toEqual([]);
    const { compactions } = conversation!;
    // One page for each compaction, and each is used.
    expect(compactions.length).toBeGreaterThanOrEqual(10);
    expect(compactions.every(({ modelCalls }) => modelCalls === 1)).toBe(true);
    expect(pages.length - compactions.length).toBeLessThanOrEqual(1);
    const cold = log.prompts.filter(({ cachedTokens }, at) => cachedTokens < (log.prompts[at - 1]?.tokens ?? 0));
    expect(cold).toHaveLength(compactions.length);
    expect(whileWriting).toBeGreaterThanOrEqual(compactions.length);
    const agent = server.received.filter((request) => !isPage(request));
    agent.forEach((request, at) => checkPrompt(request, Math.floor(at / (roundsPerTask + 1)) + 1));
    // Neither handoffs nor prompts grow from page to page.
    const sizes = compactions.map(({ tokensAfter }) => tokensAfter);
    expect(Math.max(...sizes.slice(4))).toBeLessThan(Math.max(...sizes.slice(0, 4)) * 1.25);
    const used = agent.flatMap(({ text }) => /Page (\d+): the files/.exec(text)?.[1] ?? []);
    expect([...new Set(used)]).toEqual(compactions.map((__, at) => String(at + 1)));
    // Each page is made from the one before.
    for (const [at, { text }] of pages.entries()) {
      expect(text.includes('Revise it: write one page about everything.')).toBe(at > 0);
      if (at > 0) expect(text).toContain(`Page ${at}: the files`);
    }
  });
});

/** Checks that a prompt has what the user said, once, and one page at most. @param number of the current task */
function checkPrompt({ text }: Received, number: number): void {
  for (let one = 1; one <= number; one++) {
    expect(text).toContain(task(one));
    expect(text).toContain(rule(one));
  }
  expect(text.split(/Page \d+: the files/).length).toBeLessThanOrEqual(2);
  expect(text.split(/- Decision \d+,/).length).toBeLessThanOrEqual(2);
  expect(text.split('Agent: All done.').length).toBeLessThanOrEqual(number);
}
