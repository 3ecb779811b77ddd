import type { EngineHost } from '@palimpsest/core';
import type { PlanInput, Transcript } from '@palimpsest/core/authoring';
import {
  type FoldState,
  type PlanScope,
  type PrunedDraftInput,
  planScope,
  transcriptScope,
} from '@palimpsest/engine-kit';
import type { CompressorOptions } from './options.ts';

/** Everything that the steps of one compression need. */
export interface Pass extends Omit<PrunedDraftInput, keyof PlanScope>, PlanScope {
  readonly options: CompressorOptions;
  readonly state: FoldState;
  /** The messages to compress, which are a compacted form of `transcript` if the plan is made over the history. */
  readonly projection: Transcript;
}

type Given = Pick<PlanInput<FoldState>, 'transcript' | 'source' | 'request' | 'budget' | 'state'>;

/** Reads the earlier summary from the transcript, chooses what to plan over, and collects the inputs of a pass. */
export function startPass(given: Given, options: CompressorOptions, host: EngineHost): Pass {
  const { transcript: projection, request, budget, state } = given;
  return {
    ...planScope(given, host),
    projection,
    request,
    budget,
    state,
    options,
    host,
    protectFirst: options.protectFirst,
    protectLast: options.protectLast,
    focusTopic: given.request.focusTopic ?? options.focusTopic,
    protectTools: options.pruner?.protectTools,
  };
}

/** The same pass over the messages to compress, for when a plan over the history would not be smaller. */
export function onProjection(pass: Pass): Pass {
  return { ...pass, ...transcriptScope(pass.projection, pass.state, pass.host) };
}
