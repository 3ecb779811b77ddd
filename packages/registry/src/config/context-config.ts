import type { CompressorOptionsInput } from '@palimpsest/compressor';
import {
  anyRule,
  eitherRule,
  falseRule,
  findOptionIssues,
  groupRule,
  isRecord,
  type OptionRule,
  type RulesOf,
  tableRule,
} from '@palimpsest/core/authoring';
import type { PruneCompactOptionsInput } from '@palimpsest/prune-compact';
import { refuseOptions } from './option-issue.ts';

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

const nameRule: OptionRule = {
  expected: 'the name of an engine',
  isValid: (value) => typeof value === 'string' && value.trim() !== '',
};
export const fallbackRule: OptionRule = eitherRule(nameRule, falseRule);

const fields: RulesOf<ContextConfig> = {
  engine: nameRule,
  fallback: fallbackRule,
  engines: tableRule(anyRule, 'an object with the options of each engine by its name'),
};

/** The keys allowed under `context`. */
export const contextKeys: readonly string[] = Object.keys(fields);
const contextRule = groupRule(fields);

/**
 * Validates a configuration from code or from a file.
 * @param source the file's path, for error messages
 * @throws {PalimpsestError} `OPTION_INVALID` with all problems at once
 */
export function parseContextConfig(config: unknown, source?: string): ContextConfig {
  refuseOptions(findOptionIssues(config ?? {}, contextRule, ['context']), source);
  const { engine, fallback, engines } = (config ?? {}) as ContextConfig;
  return { engine: engine?.trim(), fallback: fallback === false ? false : fallback?.trim(), engines };
}
