import type { Message } from '@palimpsest/core';
import { assistant, call, callsWithResults, system, testHost, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

/** Three topics an agent worked on in turn, each with its own facts in requests, tool output and replies. */
const threads = {
  billing: ['invoice rounding', 'tax table', 'refund ledger', 'currency feed', 'dunning mail'],
  search: ['ranking weights', 'tokenizer rules', 'index shards', 'query cache', 'synonym list'],
  deployment: ['rollout stages', 'health probes', 'image registry', 'secret rotation', 'node pools'],
} as const;
type Thread = keyof typeof threads;
const names = Object.keys(threads) as Thread[];

interface Fact {
  readonly thread: Thread;
  /** Facts that the handoff must contain verbatim. */
  readonly value: string;
}

function session(rounds: number): { messages: Message[]; facts: Fact[] } {
  const messages: Message[] = [system('You are a coding agent.')];
  const facts: Fact[] = [];
  for (let round = 0; round < rounds; round++)
    names.forEach((thread, position) => {
      const topic = threads[thread][round % 5]!;
      const number = round * 3 + position;
      const fact = (value: string): string => {
        facts.push({ thread, value });
        return value;
      };
      const file = fact(`src/${thread}/part-${number}.ts`);
      messages.push(
        user(`For ${thread}: please look at the ${topic} again.`),
        ...callsWithResults([
          call(`call_${number}`, 'terminal', { command: `npm test -- ${file}` }),
          `exit 0\n${`ok ${topic} case passes\n`.repeat(60)}`,
        ]),
        assistant(
          `The ${thread} ${topic} now uses ${fact(`${thread.slice(0, 3)}Limit${number * 7 + 11}`)}: I decided to keep ${fact(`${thread.toUpperCase()}-${4100 + number * 13}`)} as its ticket.`,
        ),
      );
    });
  messages.push(user('Thanks. What time is it?'), assistant('I cannot tell.'));
  return { messages, facts };
}

/** The share of a topic's summarized facts that are still in the handoff. */
async function survival(focusTopic: string | undefined): Promise<Record<Thread, number>> {
  const { messages, facts } = session(40);
  const engine = makeEngine(testHost({ summarizer: null }), {
    threshold: 0.5,
    minimumThreshold: 0,
    tail: { tokens: 1_000 },
    protectFirst: 0,
  });
  await engine.updateModel({ id: 'm', contextLength: 40_000 });
  const { messages: output, provenance, outcome } = await engine.compress(messages, { force: true, focusTopic });
  expect(outcome).toBe('compacted');
  const handoff = JSON.stringify(output[1]);
  const tail = JSON.stringify(output.slice(2));
  expect(provenance.source.some(({ kind }) => kind === 'summarized')).toBe(true);
  return Object.fromEntries(
    names.map((thread) => {
      const summarized = facts.filter((fact) => fact.thread === thread && !tail.includes(fact.value));
      return [thread, summarized.filter(({ value }) => handoff.includes(value)).length / summarized.length];
    }),
  ) as Record<Thread, number>;
}

describe('a focus topic, with the offline writer', () => {
  it.each(names)('keeps facts about "%s" at 1.5 times the rate of the other topics or more', async (focus) => {
    const found = await survival(focus);
    const others = names.filter((name) => name !== focus).map((name) => found[name]);
    expect(found[focus]).toBeGreaterThan(0);
    expect(found[focus]).toBeGreaterThanOrEqual(1.5 * Math.max(...others));
  });

  it('makes the difference: without one, no topic is kept at such a rate', async () => {
    const found = Object.values(await survival(undefined));
    expect(Math.max(...found)).toBeLessThan(1.5 * Math.min(...found));
  });
});
