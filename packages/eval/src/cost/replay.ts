import type { Message, TokenCounter } from '@palimpsest/core';
import { type Needs, needsOf, recallOf } from '../future/future-recall.ts';
import { searchAlong } from '../search/searching-agent.ts';
import { type Conversation, isPersonsMessage } from './conversations.ts';
import type { Policy, SummaryCall } from './policy.ts';
import { PrefixCache } from './prefix-cache.ts';

/** What one request was billed for. Tokens. */
export interface Bill {
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  /** Calls for summaries before it; `cachedTokens` of their prefix were warm. */
  readonly calls: readonly (SummaryCall & { readonly cachedTokens: number })[];
}

export interface Replay {
  readonly bills: readonly Bill[];
  readonly rewrites: number;
  readonly largestPrompt: number;
  /** Share of the facts that the agent used later, at each cut of the conversation. */
  readonly facts: readonly number[];
  /** What an agent that searches gets at each cut; empty for a policy without search. */
  readonly found: readonly Found[];
}

/** What an agent gets that searches for every fact it misses, from a cut to the end of the conversation. */
export interface Found {
  /** Share of the facts, in the prompt or in an answer. */
  readonly facts: number;
  readonly searches: number;
  /** Tokens of all answers. */
  readonly answerTokens: number;
  /** Tokens of the prompt at the cut. */
  readonly promptTokens: number;
}

/** Where a conversation is cut to look for facts, as shares of its requests; and how long its past has to be. */
const cutShares: readonly number[] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const minPastTokens = 60_000;

/** What is needed after each cut, by number of the request. */
export type CutNeeds = ReadonlyMap<number, Needs>;

export function needsAtCuts({ messages, requests }: Conversation, counter: TokenCounter): CutNeeds {
  const needs = new Map<number, Needs>();
  for (const share of cutShares) {
    const number = Math.floor(requests.length * share);
    const request = requests[number];
    if (!request || needs.has(number)) continue;
    const past = messages.slice(0, request.at);
    if (past.reduce((total, one) => total + counter.countMessage(one), 0) < minPastTokens) continue;
    const needed = needsOf(past, messages.slice(request.at));
    if (needed.facts.items.size > 0) needs.set(number, needed);
  }
  return needs;
}

/** Replays a conversation request by request under a policy, with a prompt cache. */
export async function replay(
  { messages, requests }: Conversation,
  policy: Policy,
  window: number,
  counter: TokenCounter,
  needs: CutNeeds,
): Promise<Replay> {
  const countMessage = counter.countMessage.bind(counter);
  const cache = new PrefixCache(countMessage);
  let now = 0;
  const run = policy.open({ window, countMessage, now: () => now, isFromPerson: isPersonsMessage });
  const bills: Bill[] = [];
  const facts: number[] = [];
  const found: Found[] = [];
  let [rewrites, largestPrompt, lastTokens] = [0, 0, 0];
  for (const [number, { at, outputTokens, sentAt }] of requests.entries()) {
    now = Date.UTC(2026, 0, 5) + sentAt;
    const prepared = await run.prepare(messages.slice(0, at));
    const { prompt } = prepared;
    const promptTokens = prompt.reduce((total, message) => total + countMessage(message), 0);
    const warmTokens = cache.isWarm(now) ? lastTokens : 0;
    const calls = prepared.calls.map((call) => ({ ...call, cachedTokens: Math.min(call.prefixTokens, warmTokens) }));
    const cachedTokens = cache.read(prompt, now);
    cache.write(prompt, now);
    lastTokens = promptTokens;
    bills.push({ cachedTokens, writtenTokens: promptTokens - cachedTokens, outputTokens, calls });
    run.noteAnswer({ promptTokens, completionTokens: outputTokens, cachedTokens });
    rewrites += prepared.rewrites;
    largestPrompt = Math.max(largestPrompt, promptTokens);
    const needed = needs.get(number);
    if (!needed) continue;
    facts.push(recallOf(needed, prompt).facts.recall);
    if (!run.search) continue;
    const { answers, searches } = await searchAlong(run.search, needed, prompt, messages.slice(at));
    const told = answers.map((content): Message => ({ role: 'tool', content }));
    found.push({
      facts: recallOf(needed, [...prompt, ...told]).facts.recall,
      searches,
      answerTokens: told.reduce((total, message) => total + countMessage(message), 0),
      promptTokens,
    });
  }
  return { bills, rewrites, largestPrompt, facts, found };
}
