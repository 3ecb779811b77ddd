import { isSystem, type Message, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import type { NamedTranscript } from '../transcripts.ts';
import { type Half, halfOf } from './halves.ts';
import { type Needs, needsOf } from './recall.ts';

/** A transcript cut where its context could have passed a window: what was there, and what the agent did next. */
export interface Cut {
  readonly name: string;
  readonly half: Half;
  /** Of the transcript's tokens, the share that is past. */
  readonly share: number;
  /** Without system messages: everybody keeps those, and no budget counts them. */
  readonly past: readonly Message[];
  /** Tokens of the past as a prompt. */
  readonly tokens: number;
  /** Tokens of the current request and the exchange under way, which an agent cannot go on without. */
  readonly mustTokens: number;
  readonly needs: Needs;
}

/** Transcripts that are cut, in tokens: smaller ones fill no window, and the largest would take all the time. */
export const cutSizes = { smallest: 20_000, largest: 400_000 } as const;
export const cutShares: readonly number[] = [0.4, 0.55, 0.7];

/**
 * The cuts of one transcript, at the ends of groups. Cuts behind which nothing of the past is needed are left out.
 * @returns none for a transcript outside of {@link cutSizes}
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
    // The last boundary before the share: at the first one behind it, the newest group would be an unusually large one.
    const to = groups.findLast((group) => transcript.tokensBetween(0, group.to) <= share * totalTokens)?.to ?? 0;
    if (to <= last) continue;
    last = to;
    const past = spoken.slice(0, to);
    const needs = needsOf(past, spoken.slice(to));
    if (needs.facts.items.size === 0 && needs.verbatim.items.size === 0) continue;
    yield { name, half: halfOf(name), share, past, ...sizesOf(past, counter), needs };
  }
}

function sizesOf(past: readonly Message[], counter: TokenCounter): Pick<Cut, 'tokens' | 'mustTokens'> {
  const transcript = Transcript.of(past, counter);
  const { totalTokens: tokens, inFlight, fixedTokens } = transcript;
  return { tokens, mustTokens: fixedTokens + (inFlight ? transcript.tokensBetween(inFlight.from, inFlight.to) : 0) };
}
