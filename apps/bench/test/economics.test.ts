import type { Message } from '@palimpsest/core';
import { type Conversation, costOf, replay, totalOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { expect, test } from 'vitest';
import { never, ownPolicies } from '../src/economics/own-policies.ts';
import { peerPolicies } from '../src/economics/peer-policies.ts';

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

test('a policy that folds pays for the call and for the new prefix; one that sends its last request again pays less', async () => {
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
    const folding = one.bills.find(({ calls }) => calls.length > 0)!;
    expect(folding.cachedTokens).toBeLessThan(folding.writtenTokens);
  }
  const perCall = (one: typeof codex): number => costOf(one!, 'Anthropic').summaries / one!.rewrites;
  expect(perCall(codex)).toBeLessThan(perCall(deepAgents) * 0.75);
});
