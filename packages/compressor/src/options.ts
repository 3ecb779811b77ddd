import {
  amountRule,
  choiceRule,
  countRule,
  eitherRule,
  filledTextRule,
  groupRule,
  isRecord,
  listRule,
  numberRule,
  type OptionRule,
  optionSchema,
  type StandardSchema,
  switchRule,
  tableRule,
  textRule,
  wholeNumberRule,
} from '@palimpsest/core/authoring';
import { summaryTemplates, type TemplateName } from '@palimpsest/engine-kit';

/** The options of the engine `compressor`, with all defaults filled in. */
export interface CompressorOptions {
  /** When to compact: a fraction of the usable window (0.1 to 0.95), or a number of tokens. @default 0.3 */
  readonly threshold: number | { readonly tokens: number };
  /** Thresholds by model. A key applies to every model whose id contains it; the longest key wins. @default {} */
  readonly modelThresholds: Readonly<Record<string, number | { readonly tokens: number }>>;
  /** Lower limit for a threshold given as a fraction, so that a small window does not trigger early. Tokens. @default 64_000 */
  readonly minimumThreshold: number;
  /** Upper limit for any threshold. Tokens. @default no limit */
  readonly thresholdCap?: number | undefined;
  /** Tokens of the window reserved for the answer. @default the model's */
  readonly reserveOutput?: number | undefined;
  /**
   * Number of messages to keep after the system prompt. They end after an assistant message that calls no tools, or none
   * is kept: an agent's first task, followed by tool calls, is not. To keep it, use `pins`. Without the caller's history,
   * messages are kept only until the first compaction. @default 3
   */
  readonly protectFirst?: number | undefined;
  /**
   * Number of messages to keep at the end if they fit; values are limited to 3 to 8. The token budget decides about
   * more.
   * @default 20
   */
  readonly protectLast: number;
  /**
   * Budget of the tail: a share of the threshold (limited to 0.1 to 0.8), a number of tokens, or `lean` for 2.5 % of
   * the window, 10,000 to 25,000 tokens. Behind a model's page, the tail is smaller: 3 % of the threshold, or the last
   * turn if it has at most 10 %, unless this option is set. @default { ratio: 0.2 }
   */
  readonly tail?: { readonly ratio: number } | { readonly tokens: number } | 'lean' | undefined;
  /** Share of the prompt that a pass has to save; a pass that saves less is a strike. @default 0.1 */
  readonly minimumSaving: number;
  /** True: if no model could write a summary, leave the transcript as it is. @default false */
  readonly abortOnSummaryFailure: boolean;
  /** The template of the summary. @default 'handoff' */
  readonly template: TemplateName;
  /** Topic to keep in detail if the call names none. @default none */
  readonly focusTopic?: string | undefined;
  /** Messages that contain one of these phrases are kept verbatim. @default [] */
  readonly pins: readonly string[];
  /** Append one sentence about compaction to the system prompt, once. This invalidates the cached prefix. @default false */
  readonly systemNote: boolean;
  /** How old tool output is pruned; see `PrunePolicy` of `@palimpsest/pruner`. */
  readonly pruner?: { readonly protectTools?: readonly string[] | undefined } | undefined;
}

/** The options as written in a configuration; all are optional. */
export type CompressorOptionsInput = { [Name in keyof CompressorOptions]?: CompressorOptions[Name] | undefined };

const tokens = wholeNumberRule(1);
const threshold = eitherRule(
  numberRule(0.1, 0.95),
  groupRule({ tokens: { ...tokens, isRequired: true } }, '{ tokens }'),
);

const tail: OptionRule = {
  ...groupRule({ ratio: amountRule, tokens }),
  expected: "'lean', { ratio } or { tokens }",
  isValid: (value) =>
    value === 'lean' || (isRecord(value) && (value.ratio === undefined) !== (value.tokens === undefined)),
};

/** Defaults of options that stay unset, because the engine behaves differently if its user sets them. */
export const unsetDefaults: { readonly protectFirst: number; readonly tail: { readonly ratio: number } } = {
  protectFirst: 3,
  tail: { ratio: 0.2 },
};

/** The schema of {@link CompressorOptions}; fills in the defaults, except the unset ones, and rejects unknown options. */
export const compressorOptions: StandardSchema<CompressorOptionsInput | undefined, CompressorOptions> =
  optionSchema<CompressorOptions>(
    {
      threshold,
      modelThresholds: tableRule(threshold, 'an object with thresholds by model'),
      minimumThreshold: countRule,
      thresholdCap: tokens,
      reserveOutput: countRule,
      protectFirst: countRule,
      protectLast: countRule,
      tail,
      minimumSaving: numberRule(0, 0.9),
      abortOnSummaryFailure: switchRule,
      template: choiceRule(Object.keys(summaryTemplates)),
      focusTopic: filledTextRule,
      pins: listRule(filledTextRule, 'a list of phrases'),
      systemNote: switchRule,
      pruner: groupRule({ protectTools: listRule(textRule, 'a list of tool names or globs') }),
    },
    {
      threshold: 0.3,
      modelThresholds: {},
      minimumThreshold: 64_000,
      protectLast: 20,
      minimumSaving: 0.1,
      abortOnSummaryFailure: false,
      template: 'handoff',
      pins: [],
      systemNote: false,
    },
  );
