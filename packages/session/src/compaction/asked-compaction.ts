import type { CompactionTrigger } from '../events/compaction-record.ts';

/** A requested compaction. */
export interface AskedCompaction {
  readonly trigger: CompactionTrigger;
  readonly effort: 'free' | 'full';
  readonly force: boolean;
  /** Target size of the prompt, in the provider's tokens. @default the engine's own target */
  readonly targetTokens?: number | undefined;
  readonly focusTopic?: string | undefined;
  /** What the agent said it does next. */
  readonly nextStep?: string | undefined;
  readonly keepLastTurns?: number | undefined;
}
