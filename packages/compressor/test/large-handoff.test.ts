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
import { makeEngine } from './make-engine.ts';

/** Requests with large tool output. After pruning, little remains for a handoff to replace. */
function bulky(turns: number): Message[] {
  return Array.from({ length: turns }, (_, at) => [
    user(`Request ${at}`),
    ...callsWithResults([call(`c${at}`, 'terminal', { command: `run ${at}` }), `${at} ok\n`.repeat(4_000)]),
    assistant(`Reply ${at}.`),
  ]).flat();
}

const wordy = createScriptedSummarizer(
  (request) => `${writeShortSummary(request)}\n${'- and this is so\n'.repeat(400)}`,
);
const failing = createScriptedSummarizer({ failure: 'status', status: 500 });

describe('a handoff that is larger than the pruned messages that it would replace', () => {
  it.each([
    {
      name: 'a long summary',
      turns: 12,
      summarizer: wordy,
      force: true,
      calls: 1,
      why: 'larger than what it replaces',
    },
    {
      name: 'a summary by rules, for a middle too small for a model call',
      turns: 5,
      summarizer: failing,
      calls: 0,
      why: 'too small to be worth a summary',
    },
    {
      name: 'a summary of the usual length, which no model is asked for',
      turns: 12,
      summarizer: wordy,
      calls: 0,
      why: 'saves nearly as much as a summary',
    },
  ])('is not used: $name', async ({ turns, summarizer, force, calls, why }) => {
    const engine = makeEngine(testHost({ summarizer }), { threshold: 0.5, minimumThreshold: 0, protectFirst: 0 });
    await engine.updateModel({ id: 'm', contextLength: 20_000 });
    const messages = bulky(turns);
    const first = await engine.compress(messages, { force });
    expect(first.outcome).toBe('compacted');
    expect(first.report).toMatchObject({ modelCalls: calls, failure: null });
    expect(first.report.reason).toContain(why);
    expect(first.messages.some((message) => readHandoff(message as Message))).toBe(false);
    expect(first.messages).toHaveLength(messages.length);
    const shortened = first.messages.filter(
      (message, at) => isToolResult(message as Message) && message !== messages[at],
    );
    expect(shortened.length).toBeGreaterThan(turns / 2);
    const second = await engine.compress(first.messages);
    expect(second.outcome).toBe('unchanged');
    expect(second.messages).toBe(first.messages);
  });
});
