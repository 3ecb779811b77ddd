import { expect } from 'vitest';
import { type Behaviour, contextWindow, type Received } from '../../loopback-server/index.ts';
import type { AdapterCase, Bench } from '../adapter-case.ts';
import { reading } from '../scripts.ts';
import { changedPrefixes, messagesOf, suiteSession } from '../suite-agent.ts';

const fact = 'Port 4711 is taken.';

/** Summaries that the model of the conversation writes. */
export const pages: readonly AdapterCase[] = [
  {
    feature: 'pages',
    name: 'asks its model for a page in the background, and uses it in a later request',
    async run(bench) {
      const { agent, asked, rest } = await work(bench, 'model', ({ text }) => {
        const headings = [...text.matchAll(/^## (.+)\n\(/gm)].map(([, heading]) => heading);
        return { kind: 'answer', text: headings.map((heading) => `## ${heading}\n${fact}`).join('\n\n') };
      });
      expect(asked.length).toBeGreaterThan(0);
      const [first] = asked;
      const before = bench.server.received.slice(0, bench.server.received.indexOf(first!));
      // It is one of the requests, followed by its answer and a question, with the same tools.
      const answered = messagesOf(first!);
      const isBeginning = (request: Received): boolean => messagesOf(request).every((one, at) => one === answered[at]);
      const last = before.findLast(isBeginning);
      expect(before.indexOf(last!)).toBeGreaterThan(10);
      expect(last!.body.tools).toEqual(first!.body.tools);
      expect(agent.session.records().filter(({ modelCalls }) => modelCalls > 0).length).toBeGreaterThan(0);
      expect(rest.at(-1)!.text).toContain(fact);
      expect(rest.at(-1)!.text).not.toContain(agent.results[0]);
    },
  },
  {
    feature: 'pages',
    name: 'continues with the whole history while a page is written, with streamed answers',
    async run(bench) {
      const { agent, asked, rest } = await work(bench, 'model', () => ({ kind: 'stall', at: 'start' }), {
        streaming: true,
      });
      expect(asked.length).toBe(1);
      expect(changedPrefixes(rest)).toEqual([]);
      expect(agent.session.records()).toEqual([]);
    },
  },
  {
    feature: 'pages',
    name: 'lets rules write in time if its model fails to write a page',
    async run(bench) {
      const page = (): Behaviour => ({ kind: 'status', status: 500, message: 'It is overloaded.' });
      const { agent, asked, rest } = await work(bench, 'model', page, { window: 16_000 });
      expect(asked.length).toBeGreaterThan(0);
      // Requests that exceed the window are refused, and there is one for each answer.
      expect(rest.length).toBe(39);
      const records = agent.session.records();
      expect(records.length).toBeGreaterThan(0);
      expect(records.filter(({ modelCalls }) => modelCalls > 0)).toEqual([]);
      expect(rest.at(-1)!.text).not.toContain(agent.results[0]);
    },
  },
  {
    feature: null,
    name: 'asks for no page where rules write',
    async run(bench) {
      const { agent, asked, rest } = await work(bench, 'rules', () => ({ kind: 'answer', text: fact }));
      expect(asked).toEqual([]);
      expect(agent.session.records().length).toBeGreaterThan(0);
      expect(rest.at(-1)!.text).not.toContain(agent.results[0]);
    },
  },
];

const isAsked = ({ text }: Received): boolean => text.includes('Stop the work for this one message.');

/** An agent that works past the threshold, and gets two more requests of the user. */
async function work(
  { server, start }: Bench,
  summaries: 'model' | 'rules',
  page: (request: Received) => Behaviour,
  { window = 40_000, streaming = false }: { readonly window?: number; readonly streaming?: boolean } = {},
) {
  const judge = contextWindow(window);
  let rounds = 0;
  server.play((request) => {
    const { cachedTokens, promptTokens, refusal } = judge(request);
    if (refusal) return refusal;
    // A page is written from the cache only if the provider has one.
    const usage = { cachedTokens, promptTokens, completionTokens: 20 };
    if (isAsked(request)) return { ...page(request), ...usage };
    const round = rounds++;
    if (round !== 37 && round >= 36) return { kind: 'answer', text: 'Done.', ...usage };
    // Words cannot be pruned, so a page is worth a call.
    const words = `Step ${round}. ${'I read on and note down what I see. '.repeat(25)}`;
    return { kind: 'answer', text: words, calls: [reading(round)], ...usage };
  });
  const agent = await start(suiteSession({ window, threshold: 0.3, summaries }), {
    maxTokens: window * 0.15,
    streaming,
  });
  await agent.ask('Read the sources.');
  await agent.ask('Go on.');
  const asked = server.received.filter(isAsked);
  return { agent, asked, rest: server.received.filter((request) => !isAsked(request)) };
}
