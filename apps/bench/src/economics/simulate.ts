import type { TokenCounter } from '@palimpsest/core';
import {
  type Conversation,
  type Cost,
  costOf,
  type Found,
  needsAtCuts,
  type Policy,
  type Provider,
  providers,
  type Replay,
  replay,
  totalOf,
} from '@palimpsest/eval/measures';
import { mean, sum } from '../spread.ts';
import { forgetsAtThreshold, forgetsEverything } from './floor.ts';
import { atTheWindow, never, ownPolicies, searchingPolicies } from './own-policies.ts';
import { peerPolicies } from './peer-policies.ts';

export const policies: readonly Policy[] = [
  forgetsEverything,
  forgetsAtThreshold,
  never,
  atTheWindow,
  ...ownPolicies,
  ...searchingPolicies,
  ...peerPolicies,
];
export const thresholdFloorName: string = forgetsAtThreshold.name;
export const ownNames: readonly string[] = ownPolicies.map(({ name }) => name);
export const searchingNames: readonly string[] = searchingPolicies.map(({ name }) => name);
export const peerNames: readonly string[] = peerPolicies.map(({ name }) => name);

/** Replays of one conversation, by policy. */
export interface ConversationResult {
  readonly fits: boolean;
  readonly replays: ReadonlyMap<string, Replay>;
}

/** Replays every conversation under every policy. */
export async function simulateAll(
  conversations: readonly Conversation[],
  window: number,
  counter: TokenCounter,
): Promise<ConversationResult[]> {
  const results: ConversationResult[] = [];
  for (const conversation of conversations) {
    const needs = needsAtCuts(conversation, counter);
    const replays = new Map<string, Replay>();
    for (const policy of policies) replays.set(policy.name, await replay(conversation, policy, window, counter, needs));
    results.push({ fits: replays.get(never.name)!.largestPrompt <= window, replays });
  }
  return results;
}

/** One policy over many conversations. */
export interface PolicyResult {
  readonly policy: string;
  /** Dollars, by provider. */
  readonly costs: Readonly<Record<Provider, Cost & { readonly total: number }>>;
  readonly rewrites: number;
  readonly calls: number;
  /** Mean share of the facts needed later that are in the prompt. */
  readonly facts: number;
  /** What an agent gets that searches, on average after a cut; `null` for a policy without search. */
  readonly found: Found | null;
  /** Conversations in which a prompt was larger than the window. */
  readonly oversized: number;
}

export function resultOf(results: readonly ConversationResult[], policy: string, window: number): PolicyResult {
  const own = results.map(({ replays }) => replays.get(policy)!);
  const facts = own.flatMap((one) => one.facts);
  const found = own.flatMap((one) => one.found);
  const costs = Object.fromEntries(
    providers.map((provider) => {
      const cost = costOf({ bills: own.flatMap(({ bills }) => bills) }, provider);
      return [provider, { ...cost, total: totalOf(cost) }];
    }),
  ) as PolicyResult['costs'];
  return {
    policy,
    costs,
    rewrites: sum(own.map(({ rewrites }) => rewrites)),
    calls: sum(own.flatMap(({ bills }) => bills.map(({ calls }) => calls.length))),
    facts: mean(facts),
    found: found.length === 0 ? null : meanFound(found),
    oversized: own.filter(({ largestPrompt }) => largestPrompt > window).length,
  };
}

/** Dollars of the better of "never", where it fits the window, and "at the window", chosen for each conversation. */
export function betterOfBoth(results: readonly ConversationResult[], provider: Provider): number {
  return sum(
    results.map(({ fits, replays }) => {
      const window = totalOf(costOf(replays.get(atTheWindow.name)!, provider));
      return fits ? Math.min(window, totalOf(costOf(replays.get(never.name)!, provider))) : window;
    }),
  );
}

function meanFound(found: readonly Found[]): Found {
  const of = (name: keyof Found): number => mean(found.map((one) => one[name]));
  return {
    facts: of('facts'),
    searches: of('searches'),
    answerTokens: of('answerTokens'),
    promptTokens: of('promptTokens'),
  };
}

/** The saving of one policy relative to another, at the prices of the provider that favour the other more. */
export function savingOver(policy: PolicyResult, other: PolicyResult): number {
  return Math.min(...providers.map((provider) => 1 - policy.costs[provider].total / other.costs[provider].total));
}
