import * as z from 'zod';

const tokens: z.ZodNumber = z.number().int().positive();
const fraction: z.ZodNumber = z.number().min(0.1).max(0.95);

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
  readonly template: 'handoff' | 'compaction' | 'resumption';
  /** Topic to keep in detail if the call names none. @default none */
  readonly focusTopic?: string | undefined;
  /** Messages that contain one of these phrases are kept verbatim. @default [] */
  readonly pins: readonly string[];
  /** Append one sentence about compaction to the system prompt, once. This invalidates the cached prefix. @default false */
  readonly systemNote: boolean;
  /** How old tool output is pruned; see `PrunePolicy` of `@palimpsest/pruner`. */
  readonly pruner?: { readonly protectTools?: readonly string[] | undefined } | undefined;
}

const threshold = z.union([fraction, z.strictObject({ tokens })]);

/** The options as written in a configuration; all are optional. */
export type CompressorOptionsInput = { [Name in keyof CompressorOptions]?: CompressorOptions[Name] | undefined };

/** The schema of {@link CompressorOptions}; fills in the defaults and rejects unknown options. */
export const compressorOptions: z.ZodType<CompressorOptions, CompressorOptionsInput | undefined> = z
  .strictObject({
    threshold: threshold.default(0.3),
    modelThresholds: z.record(z.string(), threshold).default({}),
    minimumThreshold: z.number().int().min(0).default(64_000),
    thresholdCap: tokens.optional(),
    reserveOutput: z.number().int().min(0).optional(),
    protectFirst: z.number().int().min(0).optional(),
    protectLast: z.number().int().min(0).default(20),
    tail: z
      .union([z.strictObject({ ratio: z.number().min(0) }), z.strictObject({ tokens }), z.literal('lean')])
      .optional(),
    minimumSaving: z.number().min(0).max(0.9).default(0.1),
    abortOnSummaryFailure: z.boolean().default(false),
    template: z.enum(['handoff', 'compaction', 'resumption']).default('handoff'),
    focusTopic: z.string().min(1).optional(),
    pins: z.array(z.string().min(1)).default([]),
    systemNote: z.boolean().default(false),
    pruner: z.strictObject({ protectTools: z.array(z.string()).optional() }).optional(),
  })
  .prefault({});
