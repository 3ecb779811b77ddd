import type { EnginePlugin } from '@palimpsest/core';
import { type OptionIssue, optionIssues } from './option-issue.ts';

/** Options ready for `create`, or what is wrong with them. */
export interface CheckedOptions {
  readonly options: unknown;
  readonly issues: readonly OptionIssue[];
}

/**
 * Runs the configured options of an engine through its schema; `{}` when the configuration says nothing. A plugin
 * without a schema gets what the configuration says.
 */
export async function checkPluginOptions(
  plugin: EnginePlugin,
  configured: unknown,
  key: string,
): Promise<CheckedOptions> {
  const given = configured ?? {};
  if (!plugin.options) return { options: given, issues: [] };
  const result = await plugin.options['~standard'].validate(given);
  if (!result.issues) return { options: result.value, issues: [] };
  return {
    options: undefined,
    issues: optionIssues(result.issues, given, ['context', 'engines', key], plugin.options),
  };
}
