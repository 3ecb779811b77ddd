import { isToolResult, type Message, readHandoff } from '@palimpsest/core';
import { assistant, call, exchange, scriptedSummarizer, testHost, user, writtenSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import type { CompressorOptionsInput } from '../src/options.ts';
import { makeEngine } from './make-engine.ts';

/** Requests with about 2,000 tokens of tool output each. */
function bulky(turns: number): Message[] {
  return Array.from({ length: turns }, (_, at) => [
    user(`Request ${at}`),
    ...exchange([call(`c${at}`, 'terminal', { command: `run ${at}` }), `${at} ok\n`.repeat(1_500)]),
    assistant(`Reply ${at}.`),
  ]).flat();
}

async function compressed(messages: readonly Message[], options: CompressorOptionsInput = {}) {
  const engine = makeEngine(testHost({ summarizer: scriptedSummarizer((request) => writtenSummary(request)) }), {
    minimumThreshold: 0,
    ...options,
  });
  await engine.updateModel({ id: 'm', contextLength: 40_000 });
  const { messages: after, report, outcome } = await engine.compress(messages);
  expect(outcome).toBe('compressed');
  const at = after.findIndex((message) => readHandoff(message as Message));
  const results = (part: readonly unknown[]): string[] =>
    (part as Message[]).filter(isToolResult).map(({ content }) => content as string);
  return { report, head: results(after.slice(0, at)), tail: results(after.slice(at)) };
}

describe('pruning before folding', () => {
  it('in a long transcript, changes only messages that may stay', async () => {
    const { report, tail } = await compressed(bulky(600), { protectFirst: 0 });
    const [prune] = report.phases;
    expect(prune?.name).toBe('prune');
    expect(prune!.messages).toBeGreaterThan(0);
    expect(prune!.messages).toBeLessThan(10);
    expect(tail.at(-1)!.length).toBeGreaterThan(1_000);
  });

  it('changes all messages if the kept head has something to prune', async () => {
    const { report, head } = await compressed(bulky(600), { protectFirst: 4 });
    expect(head).toHaveLength(1);
    expect(head[0]!.length).toBeLessThan(200);
    expect(report.phases[0]!.messages).toBeGreaterThan(550);
  });
});
