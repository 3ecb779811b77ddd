import { type EngineHost, type Handoff, isBlank, type PlanBasis, readAnyHandoff } from '@palimpsest/core';
import { digestHandoff, type PlanInput, type PlanSource, type Transcript } from '@palimpsest/core/authoring';
import { rehydrate } from '@palimpsest/summary';
import type { SummaryState } from '../plan/summary-state.ts';
import { writesByRules } from './writes-by-rules.ts';

/** The messages that a plan is made over, and what earlier compactions did to them. */
export interface PlanScope {
  /** What the edits of the plan are relative to. */
  readonly basis: PlanBasis;
  readonly transcript: Transcript;
  /** Tokens of the messages that the model sees now. A plan must result in fewer. */
  readonly currentTokens: number;
  /** The summary of earlier passes; `null` for none. */
  readonly previousSummary: string | null;
  /** The part of `previousSummary` that cannot be rebuilt from the transcript; `null` for none. */
  readonly carriedSummary: string | null;
  /** Index of the newest message with a handoff; -1 for none. */
  readonly handoffAt: number;
  /** Index of the first message after everything that earlier compactions summarized; 0 for none. */
  readonly summarizedTo: number;
  /** False for a message that the summary of earlier passes covers. */
  readonly isFresh: (index: number) => boolean;
}

type Summaries = Pick<SummaryState, 'handoffDigest' | 'carriedSummary'>;

/**
 * The scope of a plan over the messages to compact. Earlier handoffs in them are state; all other messages are fresh.
 */
export function transcriptScope(transcript: Transcript, state: Summaries, host: EngineHost): PlanScope {
  const { previousSummary, at: handoffAt } = rehydrate(transcript, {
    handoffKey: host.handoffKey,
    handoffDigest: state.handoffDigest,
  });
  return {
    basis: 'transcript',
    transcript,
    currentTokens: transcript.totalTokens,
    previousSummary,
    carriedSummary: previousSummary,
    handoffAt,
    summarizedTo: 0,
    isFresh: () => true,
  };
}

/**
 * Returns the scope of a plan over the caller's history, if the host passed one and the messages to compact are a
 * compacted form of it; otherwise {@link transcriptScope}. Over the history, head, tail, pruning and quotations are
 * chosen again.
 */
export function planScope(
  { transcript, source, state, asked }: Pick<PlanInput<Summaries>, 'transcript' | 'source' | 'state' | 'asked'>,
  host: EngineHost,
): PlanScope {
  const projected = transcriptScope(transcript, state, host);
  if (!source || source.origins.every(({ kind }) => kind === 'original')) return projected;
  const { previousSummary, handoffAt } = projected;
  const newest = handoffAt < 0 ? null : readAnyHandoff(transcript.messages[handoffAt]!, transcript.reader);
  const own = ownHandoff(transcript, state);
  const carriedSummary = own ? state.carriedSummary : previousSummary;
  const covered = previousSummary === null ? null : coverMessages(source, !isBlank((own ?? newest)?.rest));
  // Rules write the whole summary again. With a target, messages that were summarized before may therefore stay.
  const isFree = covered === null || (asked.targetTokens !== undefined && writesByRules(host, asked));
  return {
    basis: 'source',
    transcript: source.transcript,
    currentTokens: transcript.totalTokens,
    previousSummary,
    carriedSummary,
    handoffAt: rehydrate(source.transcript).at,
    summarizedTo: isFree ? 0 : covered.to,
    isFresh: (index) => covered?.flags[index] !== 1,
  };
}

/** The handoff that the engine wrote last, even if another system's handoff follows it; `null` for none. */
function ownHandoff({ messages, reader }: Transcript, { handoffDigest }: Summaries): Handoff | null {
  if (handoffDigest === null) return null;
  for (const message of messages.toReversed()) {
    const handoff = readAnyHandoff(message, reader);
    if (handoff && digestHandoff(handoff.body) === handoffDigest) return handoff;
  }
  return null;
}

interface Covered {
  /** For each message of the source, 1 if the projection contains it only in its summary. */
  readonly flags: Uint8Array;
  /** Index of the first message after the summarized ones. */
  readonly to: number;
}

/**
 * @param carries true if user messages at the end of the summarized range were carried verbatim, so that no summary
 * covers them
 */
function coverMessages({ transcript: { messages }, origins }: PlanSource, carries: boolean): Covered {
  const flags = new Uint8Array(messages.length).fill(1);
  for (const origin of origins) if (origin.kind !== 'inserted') flags[origin.from] = 0;
  const to = flags.lastIndexOf(1) + 1;
  for (let at = to - 1; carries && flags[at] === 1 && messages[at]!.role === 'user'; at--) flags[at] = 0;
  return { flags, to };
}
