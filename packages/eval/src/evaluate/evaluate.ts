import { PalimpsestError, type TokenCounter } from '@palimpsest/core';
import { neverCompacted } from '../cost/compactor-policy.ts';
import { type Cut, cutSizes, cutsOf } from '../transcripts/cuts.ts';
import type { NamedTranscript } from '../transcripts/named-transcript.ts';
import { drawSamples } from './bootstrap.ts';
import { type EvaluateOptions, type ResolvedOptions, resolveEvaluateOptions } from './evaluate-options.ts';
import type { CompactorResult, EvaluatedTranscript, Evaluation, TranscriptLosses } from './evaluation.ts';
import {
  dollarsOf,
  type MeasuredTranscript,
  measureTranscript,
  readSubject,
  type Subject,
} from './measure-transcript.ts';
import { toNamedCompactor } from './run-compactor.ts';
import { scoresOf } from './scores.ts';

/**
 * Scores compactors on recorded conversations. Each transcript is cut at several places. A compactor gets the part before
 * a cut. Its output is compared with what the agent used after the cut, and with what it had to know.
 * @throws {PalimpsestError} `OPTION_INVALID`, `TRANSCRIPTS_MISSING`, `COMPACTOR_FAILED`
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const settings = resolveEvaluateOptions(options);
  const { used, skipped } = usableTranscripts(settings);
  if (used.length === 0) throw new PalimpsestError('TRANSCRIPTS_MISSING', noneUsable(skipped), { skipped });
  const kinds = Object.entries(settings.compactors).flatMap(([name, given]) =>
    settings.budgets.map((budget) => ({
      compactor: toNamedCompactor(name, given),
      budget,
      measured: [] as MeasuredTranscript[],
    })),
  );
  const transcripts: EvaluatedTranscript[] = [];
  const uncompacted: number[] = [];
  for (const [turn, { transcript, cuts }] of used.entries()) {
    settings.signal?.throwIfAborted();
    settings.onProgress({ transcript: transcript.name, number: turn + 1, of: used.length });
    const subject = readSubject(transcript, cuts, turn, settings);
    if (subject.conversation) uncompacted.push(await dollarsOf(subject.conversation, neverCompacted, settings));
    const losses: TranscriptLosses[] = [];
    for (const { compactor, budget, measured } of kinds) {
      const one = await measureTranscript(subject, compactor, budget, settings);
      measured.push(one);
      if (one.losses) losses.push({ compactor: compactor.name, budget, ...one.losses });
    }
    transcripts.push(describe(transcript, subject, settings, losses));
  }
  const draws = drawSamples(used.length, settings.resamples, settings.seed);
  return {
    version: 1,
    transcripts,
    skipped,
    cuts: settings.cuts,
    chainSteps: settings.chainSteps,
    window: settings.window,
    results: kinds.map(
      ({ compactor, budget, measured }): CompactorResult => ({
        compactor: compactor.name,
        budget,
        scores: scoresOf(
          measured.map(({ tally }) => tally),
          draws,
        ),
      }),
    ),
    dollarsUncompacted:
      uncompacted.length > 0 ? uncompacted.reduce((sum, one) => sum + one, 0) / uncompacted.length : null,
  };
}

interface UsableTranscript {
  readonly transcript: NamedTranscript;
  readonly cuts: readonly Cut[];
}

function usableTranscripts({ transcripts, counter, cuts: shares }: ResolvedOptions) {
  const used: UsableTranscript[] = [];
  const skipped: { readonly name: string; readonly reason: string }[] = [];
  for (const transcript of transcripts) {
    const cuts = [...cutsOf(transcript, counter, shares)];
    if (cuts.length > 0) used.push({ transcript, cuts });
    else skipped.push({ name: transcript.name, reason: whyUnusable(transcript, counter) });
  }
  return { used, skipped };
}

const describe = (
  { name, messages }: NamedTranscript,
  { cuts }: Subject,
  { counter }: ResolvedOptions,
  losses: readonly TranscriptLosses[],
): EvaluatedTranscript => ({
  name,
  messages: messages.length,
  tokens: Math.round(messages.reduce((sum, message) => sum + counter.countMessage(message), 0)),
  cuts: cuts.length,
  losses,
});

const [smallest, largest] = [cutSizes.smallest, cutSizes.largest].map((tokens) => tokens.toLocaleString('en-US'));

/** Why transcripts cannot be used, and what to pass instead. */
const causes = {
  small: { reason: `fewer than ${smallest} tokens`, advice: 'Pass longer conversations.' },
  large: { reason: `more than ${largest} tokens`, advice: 'Pass shorter conversations, or a part of one.' },
  unneeded: {
    reason: 'no later use of anything from before a cut',
    advice: 'Pass conversations whose second half uses names, values or text of the first one again.',
  },
};

/** The reason why a transcript has no cuts, as the end of "it has ...". */
export function whyUnusable({ messages }: NamedTranscript, counter: TokenCounter): string {
  const tokens = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  if (tokens < cutSizes.smallest) return causes.small.reason;
  return (tokens > cutSizes.largest ? causes.large : causes.unneeded).reason;
}

/** Says why there is nothing to evaluate, and what to pass instead. @param skipped all transcripts */
export function noneUsable(skipped: readonly { readonly reason: string }[]): string {
  if (skipped.length === 0) return 'There are no transcripts. Pass recorded conversations.';
  const found = Object.values(causes)
    .map((cause) => ({ ...cause, number: skipped.filter(({ reason }) => reason === cause.reason).length }))
    .filter(({ number }) => number > 0);
  const advice = found.map((cause) => cause.advice).join(' ');
  if (skipped.length === 1) return `The transcript cannot be used: it has ${skipped[0]!.reason}. ${advice}`;
  const reasons = found.map(({ number, reason }) => `${number} ${number === 1 ? 'has' : 'have'} ${reason}`).join(', ');
  return `None of the ${skipped.length} transcripts can be used: ${reasons}. ${advice}`;
}
