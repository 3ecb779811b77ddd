import { z } from 'zod';

const tokens: z.ZodNumber = z.number().int().positive();
const fraction: z.ZodNumber = z.number().min(0.1).max(0.95);

/** The options of the engine "compressor", as a configuration file states them. */
export interface CompressorOptions {
  /** Fraction of the usable window that triggers (0.1 to 0.95), or an absolute size. @default 0.5 */
  readonly threshold: number | { readonly tokens: number };
  /** Thresholds by model; of the keys that occur in the model's id the longest wins. @default {} */
  readonly modelThresholds: Readonly<Record<string, number | { readonly tokens: number }>>;
  /** The least a fraction may come to, in tokens, so that a small window does not fire early. @default 64_000 */
  readonly minimumThreshold: number;
  /** The most any threshold may come to, in tokens. */
  readonly thresholdCap?: number | undefined;
  /** Tokens of the window kept for the answer. @default the model's */
  readonly reserveOutput?: number | undefined;
  /** Messages of the head beyond the system prompt, until the first compaction. @default 3 */
  readonly protectFirst: number;
  /** Messages of the tail kept as long as they fit (3 to 8 of them); the token budget decides the rest. @default 20 */
  readonly protectLast: number;
  /**
   * Budget of the tail: a share of the threshold (clamped to 0.1 to 0.8), a size, or `lean`: 2.5 % of the window, 10K
   * to 25K. @default { ratio: 0.2 }
   */
  readonly tail: { readonly ratio: number } | { readonly tokens: number } | 'lean';
  /** Share of the prompt a pass has to save; one that saves less is a strike. @default 0.1 */
  readonly minimumSaving: number;
  /** True: when no summary can be had, leave the transcript as it is. @default false */
  readonly abortOnSummaryFailure: boolean;
  /** The shape of the summary. @default 'handoff' */
  readonly template: 'handoff' | 'compaction' | 'resumption';
  /** What to keep in detail when the request names nothing. */
  readonly focusTopic?: string | undefined;
  /** Messages that contain one of these phrases are carried verbatim. @default [] */
  readonly pins: readonly string[];
  /** Append one sentence about compaction to the system prompt, once. It re-bills the cached prefix. @default false */
  readonly systemNote: boolean;
  /** What the pruning phase may do; see `PrunePolicy`. */
  readonly pruner?: { readonly protectTools?: readonly string[] | undefined } | undefined;
}

const threshold = z.union([fraction, z.strictObject({ tokens })]);

/** What a user states of them; everything has a default. */
export type CompressorOptionsInput = { [Name in keyof CompressorOptions]?: CompressorOptions[Name] | undefined };

/** The schema of {@link CompressorOptions}; fills in the defaults and refuses what it does not know. */
export const compressorOptions: z.ZodType<CompressorOptions, CompressorOptionsInput | undefined> = z
  .strictObject({
    threshold: threshold.default(0.5),
    modelThresholds: z.record(z.string(), threshold).default({}),
    minimumThreshold: z.number().int().min(0).default(64_000),
    thresholdCap: tokens.optional(),
    reserveOutput: z.number().int().min(0).optional(),
    protectFirst: z.number().int().min(0).default(3),
    protectLast: z.number().int().min(0).default(20),
    tail: z
      .union([z.strictObject({ ratio: z.number().min(0) }), z.strictObject({ tokens }), z.literal('lean')])
      .default({ ratio: 0.2 }),
    minimumSaving: z.number().min(0).max(0.9).default(0.1),
    abortOnSummaryFailure: z.boolean().default(false),
    template: z.enum(['handoff', 'compaction', 'resumption']).default('handoff'),
    focusTopic: z.string().min(1).optional(),
    pins: z.array(z.string().min(1)).default([]),
    systemNote: z.boolean().default(false),
    pruner: z.strictObject({ protectTools: z.array(z.string()).optional() }).optional(),
  })
  .prefault({});
