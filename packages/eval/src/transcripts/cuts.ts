import { isSystem, type Message, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type Needs, needsOf } from '../future/future-recall.ts';
import type { NamedTranscript } from '../transcripts/named-transcript.ts';
import { type Half, halfOf } from './named-transcript.ts';

/** A transcript cut where its context could have exceeded a window: its past, and what its future needs of it. */
export interface Cut {
  readonly name: string;
  readonly half: Half;
  /** Share of the transcript's tokens before the cut, 0 to 1. */
  readonly share: number;
  /** Messages before the cut. Excludes system messages, which every method keeps and no budget counts. */
  readonly past: readonly Message[];
  /** Messages after the cut, which say what was needed. */
  readonly future: readonly Message[];
  /** Tokens of the past as a prompt. */
  readonly tokens: number;
  /** Tokens of the current task and the pending tool calls, which an agent needs to continue. */
  readonly mustTokens: number;
  readonly needs: Needs;
}

/** Sizes of the transcripts to cut, in tokens: smaller ones never fill a window, and larger ones would take too long. */
export const cutSizes = { smallest: 20_000, largest: 400_000 } as const;
export const cutShares: readonly number[] = [0.4, 0.55, 0.7];

/**
 * Yields the cuts of one transcript, at the ends of groups. Skips cuts after which nothing of the past is needed, and
 * transcripts outside of 20,000 to 400,000 tokens.
 */
export function* cutsOf(
  { name, messages }: NamedTranscript,
  counter: TokenCounter,
  shares: readonly number[] = cutShares,
): Generator<Cut> {
  const spoken = messages.filter((message) => !isSystem(message));
  const transcript = Transcript.of(spoken, counter);
  const { groups, totalTokens } = transcript;
  if (totalTokens < cutSizes.smallest || totalTokens > cutSizes.largest) return;
  let last = 0;
  for (const share of shares) {
    // The last boundary before the share. The first one after it would favor unusually large newest groups.
    const to = groups.findLast((group) => transcript.tokensBetween(0, group.to) <= share * totalTokens)?.to ?? 0;
    if (to <= last) continue;
    last = to;
    const past = spoken.slice(0, to);
    const future = spoken.slice(to);
    const needs = needsOf(past, future);
    if (needs.facts.items.size === 0 && needs.verbatim.items.size === 0) continue;
    yield { name, half: halfOf(name), share, past, future, ...sizesOf(past, counter), needs };
  }
}

/** Tokens of messages, and of those among them that an agent needs to continue. */
export function sizesOf(past: readonly Message[], counter: TokenCounter): Pick<Cut, 'tokens' | 'mustTokens'> {
  const transcript = Transcript.of(past, counter);
  const { totalTokens: tokens, pendingCalls, fixedTokens } = transcript;
  return {
    tokens,
    mustTokens: fixedTokens + (pendingCalls ? transcript.tokensBetween(pendingCalls.from, pendingCalls.to) : 0),
  };
}
