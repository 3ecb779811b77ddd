import { type ContextEngine, type ContextEvent, createHost, type EngineHost, PalimpsestError } from '@palimpsest/core';
import { type EnginePlugin, nearestName, type OptionIssue } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { type ContextConfig, type EngineChoice, parseContextConfig } from './config/context-config.ts';
import { refuseOptions, schemaIssues } from './config/option-issue.ts';
import type { Deadlines } from './engines/deadline.ts';
import type { EngineEntry, KnownEngines } from './engines/known-engines.ts';
import { startEngine } from './engines/start-engine.ts';
import { withFallback } from './engines/with-fallback.ts';
import { failureReason } from './failure-reason.ts';

/** Validated options, ready for `create`, or the problems found in them. */
interface CheckedOptions {
  readonly options?: unknown;
  readonly issues: readonly OptionIssue[];
}

/** Name of the engine used when the configuration names none. */
export const defaultEngine = 'compressor';

interface CreateOptions {
  /** Fallback when the configuration does not set one. @default 'compressor', if it is known */
  readonly fallback?: string | false | undefined;
  readonly onEvent?: ((event: ContextEvent) => void) | undefined;
  readonly deadlines?: Deadlines | undefined;
  readonly configFile?: string | undefined;
}

/**
 * Creates the configured engine with its fallback.
 * @throws {PalimpsestError} `OPTION_INVALID` with all problems at once, `ENGINE_FAILED`, and the errors of
 * `KnownEngines.find`
 */
export async function createConfigured(
  engines: KnownEngines,
  given: EngineChoice['engine'],
  host: EngineHost,
  options: CreateOptions,
): Promise<ContextEngine> {
  const config = parseContextConfig(typeof given === 'string' ? { engine: given } : given);
  const wanted = config.engine ?? defaultEngine;
  const entry = await engines.find(wanted);
  const fallback = await findFallback(engines, config.fallback ?? options.fallback);
  const heard = withListener(host, options.onEvent);
  const names = engines.list().map(({ name }) => name);
  const issues: OptionIssue[] = findMisspelled(config, names);
  const prepare = async ({ name, plugin }: EngineEntry, alias?: string): Promise<() => Promise<ContextEngine>> => {
    const { key, value } = sectionOf(config.engines ?? {}, name, alias);
    const checked = await checkPluginOptions(plugin, value, key);
    issues.push(...checked.issues);
    return () => startEngine(plugin, checked.options, heard, options.deadlines);
  };
  const main = await prepare(entry, wanted);
  const second = fallback && fallback !== entry ? await prepare(fallback, config.fallback || undefined) : null;
  refuseOptions(issues, options.configFile);
  return withFallback(await main(), second && (await second()), heard);
}

/** Returns `null` if the fallback is turned off, or if the default engine is unknown. */
async function findFallback(engines: KnownEngines, named: string | false | undefined): Promise<EngineEntry | null> {
  if (named === false) return null;
  return named === undefined ? engines.get(defaultEngine) : engines.find(named);
}

/** The options of an engine: those under its own name, else those under the name that the configuration uses. */
function sectionOf(
  sections: NonNullable<ContextConfig['engines']>,
  name: string,
  alias: string | undefined,
): { readonly key: string; readonly value: unknown } {
  const isAliased = alias !== undefined && Object.hasOwn(sections, alias) && !Object.hasOwn(sections, name);
  const key = isAliased ? alias : name;
  return { key, value: Object.hasOwn(sections, key) ? sections[key] : undefined };
}

/** Finds option sections whose name is a misspelled engine name. */
function findMisspelled(config: ContextConfig, known: readonly string[]): OptionIssue[] {
  const mine = [...known, config.engine, config.fallback];
  return Object.keys(config.engines ?? {}).flatMap((key) => {
    const nearest = mine.includes(key) ? null : nearestName(key, known);
    if (nearest === null) return [];
    return [
      {
        path: `context.engines[${JSON.stringify(key)}]`,
        message: `unknown engine. Did you mean "${nearest}"?`,
      },
    ];
  });
}

/**
 * Returns the host with a second event listener. Errors of listeners are ignored, because `emit` must not throw: an
 * engine must not fail because of a listener.
 */
function withListener(host: EngineHost, listener: ((event: ContextEvent) => void) | undefined): EngineHost {
  // Not a spread: it would lose the methods of a class and copy a summarizer that may change.
  return Object.assign(createHost(host), {
    isFromPerson: host.isFromPerson.bind(host),
    emit(event: ContextEvent) {
      attempt(() => host.emit(event));
      attempt(() => listener?.(event));
    },
  });
}

function attempt(tell: () => void): void {
  try {
    tell();
  } catch {
    // Ignored: see above.
  }
}

/**
 * Validates the configured options of an engine (by default `{}`) with its schema. A plugin without a schema gets them
 * unvalidated.
 */
async function checkPluginOptions(
  { name, options: schema }: EnginePlugin,
  configured: unknown,
  key: string,
): Promise<CheckedOptions> {
  const given = configured ?? {};
  if (!schema) return { options: given, issues: [] };
  try {
    const result = await schema['~standard'].validate(given);
    if (!result.issues) return { options: result.value, issues: [] };
    return { issues: schemaIssues(result.issues, given, ['context', 'engines', key], schema) };
  } catch (error) {
    const reason = failureReason(error, (text) => redact(text, { boundary: true }));
    const message = `The options of engine "${name}" cannot be checked because its schema failed: ${reason}`;
    throw new PalimpsestError('ENGINE_INVALID', message, { source: name });
  }
}
