import type { EngineHost } from '@palimpsest/core';
import type { FoldState, PrunedDraftInput } from '@palimpsest/engine-kit';
import { rehydrate } from '@palimpsest/summary';
import type { CompressorOptions } from './options.ts';

/** Everything that the steps of one compression need. */
export interface Pass extends PrunedDraftInput {
  readonly options: CompressorOptions;
  readonly state: FoldState;
}

/** Reads the earlier summary from the transcript and collects the inputs of a pass. */
export function startPass(
  given: Pick<Pass, 'transcript' | 'request' | 'budget' | 'state'>,
  options: CompressorOptions,
  host: EngineHost,
): Pass {
  const { previousSummary, at: handoffAt } = rehydrate(given.transcript, {
    handoffKey: host.handoffKey,
    remembered: given.state.previousSummary,
  });
  return {
    ...given,
    options,
    host,
    previousSummary,
    handoffAt,
    protectFirst: options.protectFirst,
    protectLast: options.protectLast,
    focusTopic: given.request.focusTopic ?? options.focusTopic,
    protectTools: options.pruner?.protectTools,
  };
}
