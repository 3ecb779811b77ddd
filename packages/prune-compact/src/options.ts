import { z } from 'zod';

const tokens: z.ZodNumber = z.number().int().positive();

/** The options of the engine "prune-compact", as a configuration file states them. */
export interface PruneCompactOptions {
  /** Newest tokens of tool output that stay as they are. @default by window: 32K -> 10K, 128K -> 40K, 1M -> 100K */
  readonly protectTokens?: number | undefined;
  /** Prune only when more than this many tokens would be reclaimed. @default half of `protectTokens` */
  readonly minimumTokens?: number | undefined;
  /**
   * Newest user turns whose tool output is never pruned and that the tail keeps after a compaction. If no turn is
   * older, as in long agent work on one prompt, that many of the newest tool exchanges are protected instead.
   * @default 2
   */
  readonly protectTurns: number;
  /** Names or globs of tools whose output is never pruned. @default skill, skill_view, clarify, memory, todo */
  readonly protectTools?: readonly string[] | undefined;
  /** `stub`: one informative line in place of an output; `plain`: only its former size. @default 'stub' */
  readonly placeholder: 'stub' | 'plain';
  /** Fraction of the usable window that triggers, and above which a pruned transcript is compacted. @default 0.85 */
  readonly threshold: number;
  /** Tokens of the window kept for the answer. @default the model's, else the lesser of 20,000 and a fifth of the window */
  readonly reserveOutput?: number | undefined;
  /** True: when no summary can be had, leave the transcript as it is. @default false */
  readonly abortOnSummaryFailure: boolean;
  /** The shape of the summary. @default 'compaction' */
  readonly template: 'handoff' | 'compaction' | 'resumption';
}

/** What a user states of them; everything has a default. */
export type PruneCompactOptionsInput = { [Name in keyof PruneCompactOptions]?: PruneCompactOptions[Name] | undefined };

/** The schema of {@link PruneCompactOptions}; fills in the defaults and refuses what it does not know. */
export const pruneCompactOptions: z.ZodType<PruneCompactOptions, PruneCompactOptionsInput | undefined> = z
  .strictObject({
    protectTokens: tokens.optional(),
    minimumTokens: z.number().int().min(0).optional(),
    protectTurns: z.number().int().min(0).default(2),
    protectTools: z.array(z.string()).optional(),
    placeholder: z.enum(['stub', 'plain']).default('stub'),
    threshold: z.number().min(0.1).max(0.95).default(0.85),
    reserveOutput: z.number().int().min(0).optional(),
    abortOnSummaryFailure: z.boolean().default(false),
    template: z.enum(['handoff', 'compaction', 'resumption']).default('compaction'),
  })
  .prefault({});
