import { isToolResult, type Message, readHandoff } from '@palimpsest/core';
import {
  assistant,
  call,
  callsWithResults,
  createScriptedSummarizer,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import type { CompressorOptionsInput } from '../src/options.ts';
import { makeEngine } from './make-engine.ts';

/** Requests with about 2,000 tokens of tool output each. */
function bulky(turns: number): Message[] {
  return Array.from({ length: turns }, (_, at) => [
    user(`Request ${at}`),
    ...callsWithResults([call(`c${at}`, 'terminal', { command: `run ${at}` }), `${at} ok\n`.repeat(1_500)]),
    assistant(`Reply ${at}.`),
  ]).flat();
}

async function compacted(messages: readonly Message[], options: CompressorOptionsInput = {}) {
  const engine = makeEngine(
    testHost({ summarizer: createScriptedSummarizer((request) => writeShortSummary(request)) }),
    {
      threshold: 0.5,
      minimumThreshold: 0,
      ...options,
    },
  );
  await engine.updateModel({ id: 'm', contextLength: 40_000 });
  const { messages: after, report, outcome, provenance } = await engine.compress(messages);
  expect(outcome).toBe('compacted');
  const at = after.findIndex((message) => readHandoff(message as Message));
  const results = (part: readonly unknown[]): string[] =>
    (part as Message[]).filter(isToolResult).map(({ content }) => content as string);
  const rewritten = provenance.output.filter(({ kind }) => kind === 'rewritten').length;
  return { report, rewritten, head: results(after.slice(0, at)), tail: results(after.slice(at)) };
}

describe('pruning before summarizing', () => {
  it('in a long transcript, is reported only for messages that stay', async () => {
    const { report, rewritten, tail } = await compacted(bulky(600), { protectFirst: 0 });
    const [prune] = report.phases;
    expect(prune).toMatchObject({ name: 'prune', messages: rewritten });
    expect(prune!.messages).toBeLessThan(10);
    expect(tail.at(-1)!.length).toBeGreaterThan(1_000);
  });

  it('shortens the kept head, and reports that, and not the summarized messages', async () => {
    const { report, rewritten, head } = await compacted(bulky(600), { protectFirst: 4 });
    expect(head).toHaveLength(1);
    expect(head[0]!.length).toBeLessThan(200);
    expect(report.phases[0]).toMatchObject({ name: 'prune', messages: rewritten });
    expect(rewritten).toBeGreaterThan(0);
    const reclaimed = report.phases.reduce((sum, { reclaimedTokens }) => sum + reclaimedTokens, 0);
    expect(reclaimed).toBe(report.tokensBefore - report.tokensAfter);
  });
});
