import { expect, it } from 'vitest';
import { createEngine, type Plan, plainReader, writeHandoff } from '../src/authoring.ts';
import { type CompressOptions, createHost, type Message } from '../src/index.ts';

const words = (count: number): string => 'word '.repeat(count);
const messages: Message[] = [
  { role: 'user', content: words(1_000) },
  { role: 'assistant', content: words(40) },
  { role: 'user', content: 'Second question.' },
];

/** An engine that replaces the first two messages by a handoff with so many words less. */
function engineThatSaves(saved: number) {
  const tokens = {
    countText: (text: string) => text.split(' ').length,
    countMessage: ({ content }: Message) => String(content).split(' ').length,
  };
  const frame = tokens.countText(writeHandoff(''));
  const handoff = writeHandoff(words(1_040 - frame - saved));
  const plan: Plan<null> = {
    edits: [{ kind: 'replace', groups: [0, 3], with: [{ handoff, carry: [2] }], reasons: [] }],
    state: null,
  };
  const budget = { contextLength: 4_000, usableTokens: 4_000, thresholdTokens: 2_000, tailTokens: 0, summaryTokens: 0 };
  const planner = { initial: null, budget: () => budget, plan: async () => plan };
  return createEngine(planner, createHost({ tokens, reader: plainReader, redact: (text) => text }), { name: 'test' });
}

it.each([
  ['next to nothing', 10, { force: true }, 'unchanged'],
  ['next to nothing, below its target', 10, { force: true, targetTokens: 1_500 }, 'unchanged'],
  ['something, over its target', 10, { force: true, targetTokens: 900 }, 'compacted'],
  ['enough', 60, { force: true }, 'compacted'],
] as const)('a pass that saves %s', async (_, saved, asked: CompressOptions, outcome) => {
  const result = await engineThatSaves(saved).compress(messages, asked);
  expect(result.outcome).toBe(outcome);
  if (outcome === 'unchanged') expect(result.messages).toBe(messages);
  else expect(result.report.tokensAfter).toBeLessThan(result.report.tokensBefore);
});
