import { type Message, readHandoff } from '@palimpsest/core';
import { createScriptedSummarizer, type ScriptedSummarizer, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compressorOn, makeSession, turn } from '../make-session.ts';

const decision = 'Use Postgres for the queue, never SQLite.';
const compactions = 50;

/** Items of lists, outside of quotations. */
const toldLines = (body: string): string[] =>
  body
    .replace(/^(`{3,})\n[\s\S]*?^\1$/gm, '')
    .split('\n')
    .filter((line) => /^(?:- |\d+\. )/.test(line));

describe.each<[string, () => ScriptedSummarizer | undefined]>([
  ['rules', () => undefined],
  ['a model', () => createScriptedSummarizer(writeShortSummary)],
])(`${compactions} compactions in a row by %s`, (_, summarizer) => {
  it('keep a decision of the first turn, number the messages through, and repeat no line', async () => {
    const { session } = makeSession({
      window: 4_000,
      engine: (host) => compressorOn(host, summarizer(), { threshold: 0.5, minimumThreshold: 0, protectFirst: 0 }),
    });
    const history: Message[] = [
      { role: 'user', content: `Let us build the importer. ${decision}` },
      { role: 'assistant', content: 'I will use Postgres.' },
    ];
    let numbers: number[] = [];
    for (let index = 0; session.records().length < compactions; index++) {
      history.push(...turn(index));
      const before = session.records().length;
      const { messages } = await session.beforeRequest(history);
      if (session.records().length === before) continue;
      const handoffs = messages.flatMap((message) => readHandoff(message as Message)?.body ?? []);
      // A compaction may only prune.
      if (handoffs.length === 0) continue;
      expect(handoffs).toHaveLength(1);
      expect(handoffs[0]).toContain(decision);
      const lines = toldLines(handoffs[0]!);
      expect(lines.filter((line, at) => lines.indexOf(line) < at)).toEqual([]);
      const [, log] = /\n## User Messages\n([\s\S]*?)(?:\n\n## |$)/.exec(handoffs[0]!)!;
      numbers = [...log!.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
      const told = [...log!.matchAll(/^(\d+)\. Request (\d+):/gm)].map(([, number, request]) => [+number!, +request!]);
      // Each message keeps its number, and the newest ones follow each other without a gap.
      expect(told).toEqual(told.map((_, at) => [told[0]![0]! + at, told[0]![0]! + at - 2]));
      // The decision keeps its place at the start.
      expect(numbers).toEqual([...(numbers[0] === 1 ? [1] : []), ...told.map(([number]) => number)]);
    }
    expect(numbers.at(-1)).toBeGreaterThan(compactions);
  });
});
