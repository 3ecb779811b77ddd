import type { CompressorOptionsInput } from '@palimpsest/compressor';
import type { PruneCompactOptionsInput } from '@palimpsest/prune-compact';
import { z } from 'zod';
import type { Isolation } from '../engines/engine-location.ts';
import { type OptionIssue, optionIssues, refuseOptions } from './option-issue.ts';

/** Options by the name of the engine they are for. Those of a third party's engine are typed by its own package. */
export interface EngineSections {
  readonly compressor?: CompressorOptionsInput | undefined;
  readonly 'prune-compact'?: PruneCompactOptionsInput | undefined;
  readonly [engine: string]: unknown;
}

/** What stands under the key `context` of a configuration. */
export interface ContextConfig {
  /** A registered name, a package name, a path, or the name of a folder in `plugins/context-engine`. @default 'compressor' */
  readonly engine?: string | undefined;
  /** What a quarantined engine is replaced by; `false`: nothing, `compress` throws. @default 'compressor' */
  readonly fallback?: string | false | undefined;
  /** Options by engine name, of several engines side by side; those of engines not in use wait. */
  readonly engines?: EngineSections | undefined;
  /** `worker`: a third party's engine runs in a worker thread, where it can be killed. Needs the Node resolver. @default 'none' */
  readonly isolate?: Isolation | undefined;
}

/** What a file `palimpsest.config.*` holds. */
export interface PalimpsestConfig {
  readonly context?: ContextConfig | undefined;
}

const name = z.string().trim().min(1);

/** The shape of {@link ContextConfig}. */
const contextConfigSchema: z.ZodType<ContextConfig> = z.strictObject({
  engine: name.optional(),
  fallback: z.union([name, z.literal(false)], { error: 'expected the name of an engine, or false' }).optional(),
  engines: z
    .record(z.string(), z.unknown(), { error: 'expected a section of options for each engine, by its name' })
    .optional(),
  isolate: z.enum(['none', 'worker']).optional(),
});

/** The keys that may stand under `context`. */
export const contextKeys: readonly string[] = ['engine', 'fallback', 'engines', 'isolate'];

/**
 * Checks a configuration as code or a file gives it.
 * @param source the file, for the message
 * @throws {PalimpsestError} `OPTION_INVALID`, all problems at once
 */
export function parseContextConfig(config: unknown, source?: string): ContextConfig {
  const parsed = contextConfigSchema.safeParse(config ?? {});
  const issues: OptionIssue[] = parsed.success
    ? []
    : optionIssues(parsed.error.issues, config, ['context'], contextConfigSchema);
  refuseOptions(issues, source);
  return parsed.data!;
}
