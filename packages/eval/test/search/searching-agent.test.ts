import type { Message } from '@palimpsest/core';
import { createRecall } from '@palimpsest/recall';
import { describe, expect, it } from 'vitest';
import { needsOf, recallOf } from '../../src/future/future-recall.ts';
import { searchAlong } from '../../src/search/searching-agent.ts';

const past: readonly Message[] = [
  { role: 'user', content: 'Find out why src/login.ts fails.' },
  {
    role: 'assistant',
    content: 'The cause is sessionToken in src/login.ts, and pageSize in src/table.ts is too small.',
  },
  { role: 'user', content: 'Go on.' },
];
const kept = past.slice(2);
const fixing: Message = { role: 'assistant', content: 'I fix sessionToken in src/login.ts now.' };

function search(future: readonly Message[], hidden: number) {
  const recall = createRecall({ sessionId: 'one', redact: (text) => text });
  const source = past.map((_, at) =>
    at < hidden ? { kind: 'dropped' as const, edit: 0, reasons: [] } : { kind: 'kept' as const, at },
  );
  recall.update(past, { provenance: { output: [], source } });
  const ask = async (names: readonly string[]) => [await recall.callTool('recall', { query: names.join(' ') })];
  const needs = needsOf(past, future);
  return { needs, found: searchAlong(ask, needs, past.slice(hidden), future) };
}

describe('the agent that searches', () => {
  it('finds a fact it lost', async () => {
    const { needs, found } = search([fixing], 2);
    const { answers, searches } = await found;
    expect(recallOf(needs, kept).facts.recall).toBe(0);
    expect(
      recallOf(needs, [...kept, ...answers.map((content): Message => ({ role: 'tool', content }))]).facts.recall,
    ).toBe(1);
    expect(searches).toBe(1);
  });

  it('does not search for what it still has, or twice for the same fact', async () => {
    expect((await search([fixing], 0).found).searches).toBe(0);
    expect((await search([fixing, fixing], 2).found).searches).toBe(1);
  });
});
