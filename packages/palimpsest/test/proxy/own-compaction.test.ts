import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { chatLoop, messagesLoop, responsesLoop } from './agent-loops.ts';
import { isPage, pageAnswer, pageProvider } from './pages/page-provider.ts';
import { type RunningProxy, runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const task = 'Read all files.';
/** How the prompts of Claude Code, Codex, opencode and pi begin. */
const prompts = [
  "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Do not read files.\n\nYour task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests.",
  'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM that will resume the task.',
  'Provide a detailed prompt for continuing our conversation above.',
];
const loops = [messagesLoop, responsesLoop, chatLoop];

describe('a request in which an agent compacts its own history', () => {
  it('passes untouched when it fits, and the conversation never learns of it', async () => {
    for (const [at, loop] of loops.entries()) {
      const { running, history, before } = await worked(loop, 105, 64_000);
      expect(before[0]!.compactions.length).toBeGreaterThan(0);
      await loop({ ...running, history: [...history, { role: 'user', content: prompts[at]! }], task, rounds: 1 });
      const { messages, input } = server.received.at(-1)!.body as Record<string, object[]>;
      expect(messages ?? input).toHaveLength(history.length + 1);
      expect(running.proxy.conversations).toEqual(before);
      await running.proxy.close();
    }
  });

  it('is made from the compacted history when it does not fit, and the proxy says so', async () => {
    const problems: string[] = [];
    const { running, history, before, log } = await worked(chatLoop, 90, 32_000, (problem) => problems.push(problem));
    expect(before[0]!.compactions.length).toBeGreaterThan(0);
    await chatLoop({ ...running, history: [...history, { role: 'user', content: prompts[0]! }], task, rounds: 1 });
    expect(log.refused).toEqual([]);
    expect(JSON.stringify(server.received.at(-1)!.body.messages)).toContain(prompts[0]!.slice(0, 50));
    expect(problems).toEqual([expect.stringContaining('made from the compacted history')]);
    expect(running.proxy.conversations).toEqual(before);
    await running.proxy.close();
  });
});

/** The history that an agent continues with after its own compaction: what it keeps of the messages, and the summary. */
const newHistories = {
  'Claude Code': {
    loop: messagesLoop,
    prompt: prompts[0]!,
    history: (summary: string) => [
      {
        role: 'user',
        content: `This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nAnalysis:\n${summary}\n\nSummary:\n1. Primary Request and Intent:\n   ${task}`,
      },
    ],
  },
  Codex: {
    loop: responsesLoop,
    prompt: prompts[1]!,
    history: (summary: string) => [
      { role: 'user', content: task },
      {
        role: 'user',
        content: `Another language model started to solve this problem and produced a summary of its thinking process. Use it:\n${summary}`,
      },
    ],
  },
};

describe.each(Object.entries(newHistories))(
  'after a compaction of its own, %s',
  (_, { loop, prompt, history: next }) => {
    it('gets pages about its new history, without those about the old one', async () => {
      const summary = 'The first files were read, and file-7.ts matters most.';
      const { log, script } = pageProvider({
        window: 64_000,
        rounds: 90,
        page: (__, number) => pageAnswer(`## Goal\nPage ${number}: the files are read.`),
      });
      server.play(script);
      const running = await runningProxy(server, { window: 64_000, summaries: undefined });
      const options = { ...running, task, maxTokens: 6_000 };
      const old: object[] = [];
      await loop({ ...options, history: old, rounds: 45 });
      const [before] = running.proxy.conversations;
      expect(before!.compactions.some(({ modelCalls }) => modelCalls > 0)).toBe(true);
      await loop({ ...options, history: [...old, { role: 'user', content: prompt }], rounds: 1 });
      const from = server.received.length;
      const pagesBefore = server.received.filter(isPage).length;
      await loop({ ...options, history: next(summary), rounds: 45 });
      const [after] = running.proxy.conversations;
      await running.proxy.close();
      expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
      expect(log.refused).toEqual([]);
      expect(after!.compactions.some(({ modelCalls }) => modelCalls > 0)).toBe(true);
      const requests = server.received.slice(from);
      for (const { text } of requests) {
        expect(text).toContain(summary);
        for (const [, number] of text.matchAll(/Page (\d+): the files/g))
          expect(Number(number)).toBeGreaterThan(pagesBefore);
      }
      expect(requests.at(-1)!.text).toMatch(/Page \d+: the files/);
    });
  },
);

describe('after a compaction of its own, an agent that names its session', () => {
  it.each(Object.entries(newHistories))('%s finds what it removed', async (_, { loop, prompt, history: next }) => {
    const { log, script } = scriptedProvider(64_000, 1_000);
    server.play(script);
    const running = await runningProxy(server, { window: 64_000 });
    const defaultHeaders = { 'x-claude-code-session-id': 'session-1' };
    const clients = {
      gemini: running.gemini,
      openai: running.openai.withOptions({ defaultHeaders }),
      anthropic: running.anthropic.withOptions({ defaultHeaders }),
    };
    const old: object[] = [];
    await loop({ ...clients, history: old, task, rounds: 60 });
    // A sub-agent of the same session.
    await loop({ ...clients, history: [], task: 'Look for tests.', rounds: 2 });
    await loop({ ...clients, history: [...old, { role: 'user', content: prompt }], task, rounds: 1 });
    const removed = /file-\d+\.ts:3: export const value3/.exec(JSON.stringify(old))![0];
    const searched: string[] = [];
    server.play((request) => {
      const answers = JSON.stringify(request.body).split(removed).length - 1;
      searched.push(String(answers));
      if (answers > 0 || searched.length > 2) return { kind: 'answer', text: 'Found.' };
      return {
        kind: 'answer',
        text: 'I search.',
        calls: [{ id: 'r1', name: 'recall', arguments: JSON.stringify({ query: removed }) }],
      };
    });
    await loop({ ...clients, history: next('The files were read.'), task, rounds: 1 });
    await running.proxy.close();
    expect(log.refused).toEqual([]);
    expect(searched).toEqual(['0', expect.not.stringMatching(/^0$/)]);
    expect(running.proxy.conversations.filter(({ requests }) => requests > 3)).toHaveLength(1);
  });

  it('continues with the conversation that it has asked to summarize, not with another one of its session', async () => {
    const { script } = scriptedProvider(64_000, 1_000);
    server.play(script);
    const running = await runningProxy(server, { window: 64_000 });
    const anthropic = running.anthropic.withOptions({ defaultHeaders: { 'x-claude-code-session-id': 'session-2' } });
    const counts = (): number[] => running.proxy.conversations.map(({ requests }) => requests).sort((a, b) => a - b);
    const { prompt, history: next } = newHistories['Claude Code'];
    const [main, sub]: object[][] = [[], []];
    await messagesLoop({ ...running, anthropic, history: main!, task, rounds: 20 });
    await messagesLoop({ ...running, anthropic, history: sub!, task: 'Look for tests.', rounds: 5 });
    const asked = [...sub!, { role: 'user', content: prompt }];
    await messagesLoop({ ...running, anthropic, history: asked, task, rounds: 1 });
    await messagesLoop({ ...running, anthropic, history: next('Tests were found.'), task, rounds: 1 });
    await messagesLoop({ ...running, anthropic, history: main!, task, rounds: 1 });
    expect(counts()).toEqual([6, 21]);
    // A history with a summary that was not asked for here is a conversation of its own.
    await messagesLoop({ ...running, anthropic, history: next('Other tests were found.'), task, rounds: 1 });
    expect(counts()).toEqual([1, 6, 21]);
    await running.proxy.close();
  });
});

async function worked(
  loop: (typeof loops)[number],
  rounds: number,
  window: number,
  onProblem?: (problem: string) => void,
): Promise<
  { running: RunningProxy; history: object[]; before: RunningProxy['proxy']['conversations'] } & Pick<
    ReturnType<typeof scriptedProvider>,
    'log'
  >
> {
  const { log, script } = scriptedProvider(window, 1_000);
  server.play(script);
  const running = await runningProxy(server, { window, onProblem });
  const history: object[] = [];
  await loop({ ...running, history, task, rounds });
  return { running, history, log, before: running.proxy.conversations };
}
