import {
  choiceRule,
  countRule,
  listRule,
  maxThresholdShare,
  numberRule,
  optionSchema,
  type StandardSchema,
  switchRule,
  textRule,
  wholeNumberRule,
} from '@palimpsest/core/authoring';
import { summaryTemplates, type TemplateName } from '@palimpsest/engine-kit';

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
  readonly template: TemplateName;
}

/** The options as written in a configuration; all are optional. */
export type PruneCompactOptionsInput = { [Name in keyof PruneCompactOptions]?: PruneCompactOptions[Name] | undefined };

/** The reserve if neither options nor model state one: at most `tokens`, as in Kilo Code and opencode, or a share of the window. */
export const defaultReserve = { tokens: 20_000, share: 0.2 };

/** The schema of {@link PruneCompactOptions}; fills in the defaults and rejects unknown options. */
export const pruneCompactOptions: StandardSchema<PruneCompactOptionsInput | undefined, PruneCompactOptions> =
  optionSchema<PruneCompactOptions>(
    {
      protectTokens: wholeNumberRule(1),
      minimumTokens: countRule,
      protectTurns: countRule,
      protectTools: listRule(textRule, 'a list of tool names or globs'),
      placeholder: choiceRule(['stub', 'plain']),
      threshold: numberRule(0.1, 0.95),
      reserveOutput: countRule,
      abortOnSummaryFailure: switchRule,
      template: choiceRule(Object.keys(summaryTemplates)),
    },
    {
      protectTurns: 2,
      placeholder: 'stub',
      threshold: maxThresholdShare,
      abortOnSummaryFailure: false,
      template: 'compaction',
    },
  );
