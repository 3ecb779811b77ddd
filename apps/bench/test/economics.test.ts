import type { Message } from '@palimpsest/core';
import { type Conversation, costOf, needsOf, replay, totalOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { expect, test } from 'vitest';
import { forgetsAtThreshold, forgetsEverything } from '../src/economics/floor.ts';
import { never, ownPolicies, searchingPolicies } from '../src/economics/own-policies.ts';
import { peerPolicies } from '../src/economics/peer-policies.ts';
import { longTurns, runLongTurn } from './long-turns.ts';

const counter = createTokenCounter();

/** One request, then rounds of a file read with about 1,500 tokens. */
function conversation(rounds: number): Conversation {
  const messages: Message[] = [{ role: 'user', content: 'Port the project to the new API.' }];
  const requests: Conversation['requests'][number][] = [];
  for (let round = 0; round < rounds; round++) {
    requests.push({ at: messages.length, outputTokens: 50, sentAt: round * 20_000 });
    const id = `call_${round}`;
    const call = {
      id,
      type: 'function' as const,
      function: { name: 'read_file', arguments: `{"path":"${round}.ts"}` },
    };
    const lines = Array.from({ length: 100 }, (_, at) => `const value_${round}_${at} = compute(${at * 7});`);
    messages.push({ role: 'assistant', content: `Step ${round}.`, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: id, content: lines.join('\n') });
  }
  return { name: 'rounds', half: 'held-out', messages, tokens: 0, requests };
}

test('a conversation that no policy touches costs the same under all of them', async () => {
  const short = conversation(12);
  const costs = [never, ...ownPolicies, ...peerPolicies].map((policy) =>
    replay(short, policy, 400_000, counter, new Map()).then((one) => totalOf(costOf(one, 'Anthropic'))),
  );
  expect(new Set((await Promise.all(costs)).map((cost) => cost.toFixed(9))).size).toBe(1);
});

test('a policy that summarizes pays for the call and for the new prefix; one that sends its last request again pays less', async () => {
  const long = conversation(60);
  const replays = new Map(
    await Promise.all(
      peerPolicies.map(
        async (policy) => [policy.name, await replay(long, policy, 60_000, counter, new Map())] as const,
      ),
    ),
  );
  const [codex, deepAgents] = ['Codex 0100b10', 'Deep Agents 1.14.1'].map((name) => replays.get(name)!);
  for (const one of [codex!, deepAgents!]) {
    expect(one.rewrites).toBeGreaterThan(0);
    expect(one.largestPrompt).toBeLessThan(60_000);
    const summarizing = one.bills.find(({ calls }) => calls.length > 0)!;
    expect(summarizing.cachedTokens).toBeLessThan(summarizing.writtenTokens);
  }
  const perCall = (one: typeof codex): number => costOf(one!, 'Anthropic').summaries / one!.rewrites;
  expect(perCall(codex)).toBeLessThan(perCall(deepAgents) * 0.75);
});

test('no policy costs less than one that forgets everything', async () => {
  const long = conversation(60);
  const costs = await Promise.all(
    [forgetsEverything, ...ownPolicies, ...searchingPolicies, ...peerPolicies].map(async (policy) =>
      totalOf(costOf(await replay(long, policy, 60_000, counter, new Map()), 'Anthropic')),
    ),
  );
  expect(costs.slice(1).every((cost) => cost > costs[0]!)).toBe(true);
  // Each message that was sent, once, and the answers: there is no system prompt.
  const sent = long.messages.slice(0, long.requests.at(-1)!.at);
  const written = sent.reduce((tokens, message) => tokens + counter.countMessage(message), 0);
  expect(costs[0]).toBeCloseTo((written * 3.75 + 60 * 50 * 15) / 1e6);
});

test('no policy that compacts at the default threshold costs less than one that forgets everything there', async () => {
  const long = conversation(120);
  const [floor, least, ...ours] = await Promise.all(
    [forgetsEverything, forgetsAtThreshold, ...ownPolicies].map((policy) =>
      replay(long, policy, 200_000, counter, new Map()),
    ),
  );
  const dollars = totalOf(costOf(least!, 'Anthropic'));
  expect(least!.rewrites).toBe(1);
  expect(least!.largestPrompt).toBeLessThan(100_000);
  expect(dollars).toBeGreaterThan(totalOf(costOf(floor!, 'Anthropic')));
  for (const one of ours) expect(totalOf(costOf(one, 'Anthropic'))).toBeGreaterThan(dollars);
});

test('what the agent searches for is found, and counted', async () => {
  const long = conversation(60);
  const used: Message = { role: 'assistant', content: 'value_3_7 and compute(49) are in 3.ts, value_3_8 is in 3.ts.' };
  const messages = [...long.messages, used];
  const { requests } = long;
  const last = { at: long.messages.length, outputTokens: 50, sentAt: 60 * 20_000 };
  const whole = { ...long, messages, requests: [...requests, last] };
  const needs = new Map([[60, needsOf(long.messages, [used])]]);
  const [searching] = searchingPolicies;
  const { facts, found } = await replay(whole, searching!, 60_000, counter, needs);
  expect(facts[0]).toBeLessThan(1);
  expect(found[0]!.facts).toBeGreaterThan(facts[0]!);
  expect(found[0]!.searches).toBeGreaterThan(0);
  expect(found[0]!.answerTokens).toBeGreaterThan(0);
  expect((await replay(whole, ownPolicies[0]!, 60_000, counter, needs)).found).toEqual([]);
});

test('a page from the cached request gets the same summaries for less', async () => {
  // The first compactions only prune.
  const runs = await runLongTurn({ ...longTurns.small, rounds: 40 }, counter);
  const [asked, cached, rules] = ['compressor', 'compressor, from the cached request', 'compressor, no model'].map(
    (name) => runs.find(({ policy }) => policy === name)!,
  );
  expect(asked!.withModel).toBeGreaterThan(0);
  expect(cached).toMatchObject({ compactions: asked!.compactions, withModel: asked!.withModel });
  expect(cached!.cost.summaries).toBeLessThan(asked!.cost.summaries * 0.9);
  expect(rules!.cost.summaries).toBe(0);
});

test('with many tools, most compactions of the default engine call no model, and none waits for the window', async () => {
  const runs = await runLongTurn(longTurns.overhead, counter);
  const [run] = runs;
  // Each compaction lasts for at least five rounds.
  for (const { compactions } of runs) expect(compactions).toBeLessThanOrEqual(longTurns.overhead.rounds / 5);
  expect(run!.withModel).toBeGreaterThan(0);
  expect(run!.withModel).toBeLessThan(run!.compactions / 2);
  expect(run!.largestPrompt).toBeLessThan(longTurns.overhead.window * 0.85);
});
