import type { Budget, CompressRequest, EngineHost } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { FoldState, PlanScope } from '@palimpsest/engine-kit';
import type { PruneCompactOptions } from './options.ts';

/** The state of prune-compact, which survives a restart. */
export interface PruneCompactState extends Omit<FoldState, 'previousSummary'> {
  /** Passes in which pruning was enough. */
  readonly pruned: number;
  /** Passes that compacted. */
  readonly compacted: number;
  /** The summary as last written; absent before the first one and in states of older versions. */
  readonly previousSummary?: string | null | undefined;
}

/** Everything that the steps of one compression need. */
export interface Pass extends PlanScope {
  /** The messages to compress, which are a compacted form of `transcript` if the plan is made over the history. */
  readonly projection: Transcript;
  readonly request: CompressRequest;
  readonly state: PruneCompactState;
  readonly budget: Budget;
  readonly options: PruneCompactOptions;
  readonly host: EngineHost;
}
