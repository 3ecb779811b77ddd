import type { CompressorOptionsInput } from '@palimpsest/compressor';
import { isRecord, type OptionIssue, type OptionRule } from '@palimpsest/core/authoring';
import type { PruneCompactOptionsInput } from '@palimpsest/prune-compact';
import * as z from 'zod';
import { optionIssues, refuseOptions } from './option-issue.ts';

/** For functions that take an engine by its name, or the whole configuration. */
export const engineRule: OptionRule = {
  expected: "an engine's name, or a configuration { engine, ... }",
  isValid: (value) => typeof value === 'string' || isRecord(value),
};

/** Engine options by engine name. Other packages add the types of their options by declaration merging. */
export interface EngineSections {
  readonly compressor?: CompressorOptionsInput | undefined;
  readonly 'prune-compact'?: PruneCompactOptionsInput | undefined;
  readonly [engine: string]: unknown;
}

/** The value of the key `context` in a configuration. */
export interface ContextConfig {
  /** A registered name, a package name, a path, or the name of a folder in `plugins/context-engine`. @default 'compressor' */
  readonly engine?: string | undefined;
  /** The engine that replaces one that fails; with `false`, `compress` throws instead. @default 'compressor' */
  readonly fallback?: string | false | undefined;
  /** Options by engine name. Options of engines that are not in use are ignored. */
  readonly engines?: EngineSections | undefined;
}

/** The option of an adapter that chooses the engine. */
export interface EngineChoice {
  /** The engine's name, or the whole configuration with the engine's options. @default 'compressor' */
  readonly engine?: string | ContextConfig | undefined;
}

/** The content of a file `palimpsest.config.*`. */
export interface PalimpsestConfig {
  readonly context?: ContextConfig | undefined;
}

const name = z.string().trim().min(1);

/** The schema of {@link ContextConfig}. */
const contextConfigSchema: z.ZodType<ContextConfig> = z.strictObject({
  engine: name.optional(),
  fallback: z.union([name, z.literal(false)], { error: 'expected the name of an engine, or false' }).optional(),
  engines: z
    .record(z.string(), z.unknown(), { error: 'expected an object with the options of each engine by its name' })
    .optional(),
});

/** The keys allowed under `context`. */
export const contextKeys: readonly string[] = ['engine', 'fallback', 'engines'];

/**
 * Validates a configuration from code or from a file.
 * @param source the file's path, for error messages
 * @throws {PalimpsestError} `OPTION_INVALID` with all problems at once
 */
export function parseContextConfig(config: unknown, source?: string): ContextConfig {
  const parsed = contextConfigSchema.safeParse(config ?? {});
  const issues: OptionIssue[] = parsed.success
    ? []
    : optionIssues(parsed.error.issues, config, ['context'], contextConfigSchema);
  refuseOptions(issues, source);
  return parsed.data!;
}
