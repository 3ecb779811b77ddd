import { type EngineHost, isSystem } from '@palimpsest/core';
import { type Draft, type PlanNotes, placeHandoff, tailLead } from '@palimpsest/core/authoring';
import { sourcesOf } from './source/rehydrate.ts';
import { withClosing } from './template/closing.ts';
import { type SummaryInput, writeSummary } from './write-summary.ts';

/** What an engine asks for when it folds a range of groups into one handoff. */
export interface CondenseInput extends Omit<SummaryInput, 'transcript' | 'sources'> {
  readonly draft: Draft;
  /** Half-open range of groups: the middle. */
  readonly groups: readonly [from: number, to: number];
  /** A line put behind the summary, inside the handoff. */
  readonly closing?: string | undefined;
}

export type Condensed =
  | {
      readonly kind: 'written' | 'fallback';
      readonly body: string;
      readonly reclaimedTokens: number;
      readonly notes: PlanNotes;
    }
  /** What was written is no smaller than what it would replace: the draft is as it was, and the notes say what it cost. */
  | { readonly kind: 'larger'; readonly notes: PlanNotes & { readonly reason: string } }
  | { readonly kind: 'aborted'; readonly notes: PlanNotes };

/**
 * Folds a range of a draft into one handoff: collects the messages to cover, has the summary written and places it.
 * System messages after the leading ones are folded too. Both built-in engines use it, and third-party engines can.
 */
export async function condense(input: CondenseInput, host: EngineHost): Promise<Condensed> {
  const { draft, groups, closing, ...rest } = input;
  const { transcript } = draft;
  const from = transcript.groups[groups[0]]!.from;
  const to = transcript.groups[groups[1] - 1]!.to;
  const started = host.clock.now();
  // Leading system messages stay. Later ones are folded, because they would eventually fill the window.
  const folds: number[] = [];
  for (let at = Math.max(from, transcript.leading); at < to; at++)
    if (isSystem(transcript.messages[at]!)) folds.push(at);
  // An answer kept as the lead-in of the tail is not part of the middle.
  const lead = tailLead(transcript, groups[1]);
  const sources = sourcesOf(transcript, from, to, rest.previousSummary, folds).filter(
    (at) => transcript.groupOf(at) !== lead,
  );
  const result = await writeSummary({ ...rest, transcript, sources }, host);
  const { modelCalls, warnings, failure, auxiliaryFailure } = result;
  const shared = { modelCalls, warnings, failure, auxiliaryFailure };
  if (result.kind === 'aborted') return { kind: 'aborted', notes: shared };
  const body = withClosing(result.body, closing);
  const reason = {
    code: result.kind === 'fallback' ? 'drop' : 'summarize',
    note:
      result.kind === 'fallback' ? 'no model could write a summary; written by rules' : `summarized by ${result.by}`,
  };
  const reclaimedTokens = placeHandoff(draft, groups, body, reason, host.handoffKey, folds);
  if (reclaimedTokens <= 0) {
    const notes = {
      ...shared,
      reason: 'The handoff would have been larger than what it replaces, so nothing was folded.',
    };
    return { kind: 'larger', notes };
  }
  const phase = { name: 'summarize', durationMs: host.clock.now() - started, reclaimedTokens, messages: to - from };
  return {
    kind: result.kind,
    body,
    reclaimedTokens,
    notes: { ...shared, phases: [phase], summarizedBy: result.by, summaryTokens: result.tokens },
  };
}
