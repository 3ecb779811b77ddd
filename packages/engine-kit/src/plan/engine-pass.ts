import type { Message } from '@palimpsest/core';
import type { Draft, PlanInput, Transcript } from '@palimpsest/core/authoring';
import type { PrunedDraftInput } from '../prune/pruned-draft.ts';
import { type PlanScope, planScope, transcriptScope } from '../source/plan-scope.ts';
import type { TemplateName } from '../summarize/summarize-range.ts';
import type { SummaryState } from './summary-state.ts';

/** How an engine summarizes, and how it reports a summary. */
export interface SummaryPolicy<S> {
  /** The engine's name, for events. */
  readonly engine: string;
  readonly template: TemplateName;
  /** True: abort if no model could write a summary. @default false */
  readonly abortOnFailure?: boolean | undefined;
  /** Returns the indices of messages to carry verbatim. @default none */
  readonly pins?: ((messages: readonly Message[]) => readonly number[]) | undefined;
  /** Returns a line to add after the summary, inside the handoff. @default none */
  readonly closing?: ((transcript: Transcript) => string | undefined) | undefined;
  /** Called with the draft after a summary, to add the engine's own edits. @default none */
  readonly afterSummary?: ((draft: Draft) => void) | undefined;
  /**
   * Returns the state after a pass that changed the transcript, for example with an increased counter.
   * @default unchanged
   */
  readonly nextState?: ((state: S, phase: 'pruned' | 'summarized') => S) | undefined;
  /**
   * Sentences for the report: `summarized` for a summary as configured, `fallback` if rules wrote it because no model
   * could.
   */
  readonly reasons: { readonly summarized: string; readonly fallback: string };
}

/** The settings that an engine chooses for one compaction. */
export interface PassSettings<S>
  extends Pick<
    PrunedDraftInput,
    'host' | 'protectFirst' | 'protectLast' | 'focusTopic' | 'protectTools' | 'placeholder'
  > {
  readonly summary: SummaryPolicy<S>;
}

/** Everything that the steps of one compaction need. */
export interface EnginePass<S> extends Omit<PrunedDraftInput, keyof PlanScope>, PlanScope, PassSettings<S> {
  readonly state: S;
  /** The messages to compact. In a plan over the history, they are a compacted form of `transcript`. */
  readonly projection: Transcript;
}

type Given<S> = Pick<PlanInput<S>, 'transcript' | 'source' | 'asked' | 'budget' | 'state'>;

/** Reads the earlier summary from the transcript, chooses the plan's basis, and collects the inputs of a pass. */
export function enginePass<S extends SummaryState>(given: Given<S>, settings: PassSettings<S>): EnginePass<S> {
  const { transcript: projection, asked, budget, state } = given;
  const focusTopic = asked.focusTopic ?? settings.focusTopic;
  return { ...settings, ...planScope(given, settings.host), projection, asked, budget, state, focusTopic };
}

/** Returns the same pass, but over the messages to compact. Used when a plan over the history would not be smaller. */
export function onProjection<S extends SummaryState>(pass: EnginePass<S>): EnginePass<S> {
  return { ...pass, ...transcriptScope(pass.projection, pass.state, pass.host) };
}
