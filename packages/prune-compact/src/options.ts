import { latestThresholdShare } from '@palimpsest/core/authoring';
import * as z from 'zod';

const tokens: z.ZodNumber = z.number().int().positive();

/** The options of the engine `prune-compact`, with all defaults filled in. */
export interface PruneCompactOptions {
  /** The newest tool output to leave unchanged, in tokens. @default by window: 32K -> 10K, 128K -> 40K, 1M -> 100K */
  readonly protectTokens?: number | undefined;
  /** Prune only if at least this many tokens would be reclaimed. @default half of `protectTokens` */
  readonly minimumTokens?: number | undefined;
  /**
   * Number of newest user turns that keep their tool output and form the tail after a compaction. If no turn is older,
   * as in long agent work on one prompt, this many of the newest tool exchanges keep their output instead.
   * @default 2
   */
  readonly protectTurns: number;
  /** Names or globs of tools whose output is never pruned. @default skill, skill_view, clarify, memory, todo */
  readonly protectTools?: readonly string[] | undefined;
  /**
   * What replaces a pruned output. `stub`: one line about the call and its result; `plain`: only the original size.
   * @default 'stub'
   */
  readonly placeholder: 'stub' | 'plain';
  /**
   * Fraction of the usable window (0.1 to 0.95) that triggers compaction. If pruning does not get below it, the
   * transcript is compacted.
   * @default 0.85
   */
  readonly threshold: number;
  /**
   * Tokens of the window reserved for the answer.
   * @default the model's; else 20,000 or a fifth of the window, whichever is less
   */
  readonly reserveOutput?: number | undefined;
  /** True: if no model could write a summary, leave the transcript as it is. @default false */
  readonly abortOnSummaryFailure: boolean;
  /** The template of the summary. @default 'compaction' */
  readonly template: 'handoff' | 'compaction' | 'resumption';
}

/** The options as written in a configuration; all are optional. */
export type PruneCompactOptionsInput = { [Name in keyof PruneCompactOptions]?: PruneCompactOptions[Name] | undefined };

/** The schema of {@link PruneCompactOptions}; fills in the defaults and rejects unknown options. */
export const pruneCompactOptions: z.ZodType<PruneCompactOptions, PruneCompactOptionsInput | undefined> = z
  .strictObject({
    protectTokens: tokens.optional(),
    minimumTokens: z.number().int().min(0).optional(),
    protectTurns: z.number().int().min(0).default(2),
    protectTools: z.array(z.string()).optional(),
    placeholder: z.enum(['stub', 'plain']).default('stub'),
    threshold: z.number().min(0.1).max(0.95).default(latestThresholdShare),
    reserveOutput: z.number().int().min(0).optional(),
    abortOnSummaryFailure: z.boolean().default(false),
    template: z.enum(['handoff', 'compaction', 'resumption']).default('compaction'),
  })
  .prefault({});
