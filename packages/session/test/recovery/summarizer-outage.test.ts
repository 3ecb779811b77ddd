import type { ContextEngine, EngineHost, SummarizeRequest, Summarizer } from '@palimpsest/core';
import { openaiSummarizer } from '@palimpsest/summary/openai';
import { writeShortSummary } from '@palimpsest/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  contextWindow,
  type LoopbackServer,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { compressorOn, filler, makeSession, pruneCompactOn } from '../make-session.ts';

const window = 8_000;

let model: LoopbackServer;
let writer: LoopbackServer;
/** A port without a server. */
let nobody: string;
beforeAll(async () => {
  [model, writer] = await Promise.all([startLoopbackServer(), startLoopbackServer()]);
  const gone = await startLoopbackServer();
  nobody = gone.openaiUrl;
  await gone.close();
});
afterAll(() => Promise.all([model.close(), writer.close()]));

/** A summarizer with the real SDK that can be made unreachable, and its server. */
function outage() {
  let asked: SummarizeRequest | null = null;
  const reached = openaiSummarizer({ model: 'small', apiKey: 'test', baseURL: writer.openaiUrl });
  const unreached = openaiSummarizer({ model: 'small', apiKey: 'test', baseURL: nobody });
  const state: { behaviour: Behaviour | 'refused' | 'works'; calls: number } = { behaviour: 'works', calls: 0 };
  writer.play(() =>
    typeof state.behaviour === 'string' ? { kind: 'answer', text: writeShortSummary(asked!) } : state.behaviour,
  );
  const summarizer: Summarizer = {
    id: reached.id,
    contextLength: undefined,
    summarize(request) {
      asked = request;
      state.calls++;
      return (state.behaviour === 'refused' ? unreached : reached).summarize(request);
    },
  };
  return { state, summarizer };
}

type MakeEngine = (host: EngineHost, summarizer: Summarizer) => ContextEngine;

const engines: Record<string, MakeEngine> = {
  compressor: (host, summarizer) => compressorOn(host, summarizer as never, { threshold: 0.5, minimumThreshold: 0 }),
  'prune-compact': pruneCompactOn,
};

/** An agent on the real client, in one user turn. The model must accept all of its requests. */
function agent(makeEngine: MakeEngine, summarizer: Summarizer) {
  const made = makeSession({ window, engine: (host) => makeEngine(host, summarizer) });
  const client = new OpenAI({
    apiKey: 'test',
    baseURL: model.openaiUrl,
    fetch: contextFetch(made.session),
    maxRetries: 0,
  });
  const judge = contextWindow(window);
  const refused: number[] = [];
  model.play((request) => {
    const { promptTokens, refusal } = judge(request);
    if (refusal) refused.push(promptTokens);
    return refusal ?? { kind: 'answer', text: 'Go on.', promptTokens, completionTokens: 5 };
  });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read everything, please.' }];
  let round = 0;
  return {
    ...made,
    refused,
    /** Sends the given number of requests. Each answer calls a tool whose result has 700 tokens. */
    async rounds(count: number): Promise<void> {
      for (const end = round + count; round < end; round++) {
        await client.chat.completions.create({ model: 'm', messages });
        const call = {
          id: `call_${round}`,
          type: 'function' as const,
          function: { name: 'read_file', arguments: JSON.stringify({ path: `src/${round}.ts` }) },
        };
        messages.push(
          { role: 'assistant', content: filler(150, `text ${round}`), tool_calls: [call] },
          { role: 'tool', tool_call_id: call.id, content: filler(550, round) },
        );
      }
    },
  };
}

const failures: readonly (readonly [name: string, behaviour: Behaviour | 'refused'])[] = [
  ['refuses connections', 'refused'],
  ['answers 401', { kind: 'status', status: 401 }],
  ['answers 402', { kind: 'status', status: 402 }],
  ['answers 403', { kind: 'status', status: 403 }],
  ['answers 429', { kind: 'status', status: 429 }],
  ['answers 500', { kind: 'status', status: 500 }],
  ['sends a web page', { kind: 'html' }],
  ['cuts the connection', { kind: 'close', at: 'middle' }],
];

/** The engine does not see how the summarizer failed, so one of them meets every failure, the other one of each kind. */
const someFailures = failures.filter(([name]) => /refuses|429|cuts/.test(name));

describe.each(Object.entries(engines))('an agent on %s whose summarizer fails', (engine, makeEngine) => {
  it.each(engine === 'compressor' || process.env.PALIMPSEST_DEEP ? failures : someFailures)(
    'goes on, and uses it again when it is back: it %s',
    { timeout: 180_000 },
    async (__, behaviour) => {
      const { state, summarizer } = outage();
      const { rounds, session, clock, events, refused } = agent(makeEngine, summarizer);
      state.behaviour = behaviour;
      await rounds(30);
      expect(refused).toEqual([]);
      expect(state.calls).toBeGreaterThan(0);
      expect(state.calls).toBeLessThanOrEqual(2);
      expect(session.records().some(({ outcome }) => outcome === 'degraded')).toBe(true);
      expect(events.filter(({ type }) => /compaction-blocked|exhausted/.test(type))).toEqual([]);
      const failed = state.calls;
      state.behaviour = 'works';
      clock.advance(900_000);
      await rounds(15);
      expect(refused).toEqual([]);
      expect(state.calls).toBeGreaterThan(failed);
      expect(
        session
          .records()
          .some(({ number, outcome, modelCalls }) => number > 1 && outcome === 'compacted' && modelCalls > 0),
      ).toBe(true);
    },
  );
});
