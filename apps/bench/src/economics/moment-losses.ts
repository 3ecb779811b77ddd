import type { TokenCounter } from '@palimpsest/core';
import { type Conversation, isPersonsMessage, needsOf, type Policy, recallOf } from '@palimpsest/eval/measures';
import { markdownTable } from '../markdown-table.ts';
import { atMost, inPercent, type Target } from '../target.ts';
import { atMoments, atThreshold } from './own-policies.ts';

/** What compactions of a policy removed although the agent used it later. */
export interface MomentLosses {
  readonly policy: string;
  readonly compactions: number;
  /** Weight of the facts used later, over all compactions. */
  readonly neededWeight: number;
  /** The part of it that was no longer in the prompt after the compaction. */
  readonly lostWeight: number;
}

/** A window small enough that long conversations are compacted several times. Tokens. */
const window = 128_000;
/** The least number of a person's messages in a conversation with marked ends of turns. */
const leastRequests = 3;

/** Measures both policies on the conversations with several user turns. */
export async function measureMomentLosses(
  conversations: readonly Conversation[],
  counter: TokenCounter,
): Promise<MomentLosses[]> {
  const several = conversations.filter(({ messages }) => messages.filter(isPersonsMessage).length >= leastRequests);
  const all: MomentLosses[] = [];
  for (const policy of [atThreshold, atMoments]) {
    const total = { policy: policy.name, compactions: 0, neededWeight: 0, lostWeight: 0 };
    for (const conversation of several) await addLosses(total, conversation, policy, counter);
    all.push(total);
  }
  return all;
}

async function addLosses(
  total: { -readonly [Field in keyof MomentLosses]: MomentLosses[Field] },
  { messages, requests }: Conversation,
  policy: Policy,
  counter: TokenCounter,
): Promise<void> {
  let now = 0;
  const countMessage = counter.countMessage.bind(counter);
  const run = policy.open({ window, countMessage, now: () => now, isRequest: isPersonsMessage });
  for (const { at, outputTokens, sentAt } of requests) {
    now = Date.UTC(2026, 0, 5) + sentAt;
    const past = messages.slice(0, at);
    const { prompt, rewrites } = await run.prepare(past);
    const promptTokens = prompt.reduce((sum, message) => sum + countMessage(message), 0);
    run.answered({ promptTokens, completionTokens: outputTokens });
    if (rewrites === 0) continue;
    const needs = needsOf(past, messages.slice(at));
    const needed = [...needs.facts.items.values()].reduce((sum, { weight }) => sum + weight, 0);
    total.compactions += rewrites;
    total.neededWeight += needed;
    if (needed > 0) total.lostWeight += needed * (1 - recallOf(needs, prompt).facts.recall);
  }
}

export function momentTable(losses: readonly MomentLosses[]): string {
  const perCompaction = ({ lostWeight, compactions }: MomentLosses): number => lostWeight / compactions;
  return markdownTable(
    ['compacted', 'compactions', 'weight needed later', 'lost', 'share', 'lost per compaction'],
    losses.map((one) => [
      one.policy,
      String(one.compactions),
      one.neededWeight.toFixed(0),
      one.lostWeight.toFixed(0),
      inPercent(one.lostWeight / one.neededWeight),
      perCompaction(one).toFixed(1),
    ]),
  );
}

export function momentTargets([fixed, moments]: readonly MomentLosses[]): Target[] {
  if (!fixed || !moments || fixed.lostWeight === 0) return [];
  const shareOf = ({ lostWeight, neededWeight }: MomentLosses): number => lostWeight / neededWeight;
  const metric = 'at good moments: share lost of the weight needed later, relative to a fixed threshold';
  return [atMost('economics', metric, 1, shareOf(moments) / shareOf(fixed), inPercent)];
}
