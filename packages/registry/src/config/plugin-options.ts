import { PalimpsestError } from '@palimpsest/core';
import type { EnginePlugin, OptionIssue, StandardResult } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { failureReason } from '../failure-reason.ts';
import { optionIssues } from './option-issue.ts';

/** Validated options, ready for `create`, or the problems found in them. */
export interface CheckedOptions {
  readonly options: unknown;
  readonly issues: readonly OptionIssue[];
}

/**
 * Validates the configured options of an engine (by default `{}`) with its schema. A plugin without a schema gets them
 * unvalidated.
 */
export async function checkPluginOptions(
  plugin: EnginePlugin,
  configured: unknown,
  key: string,
): Promise<CheckedOptions> {
  const given = configured ?? {};
  if (!plugin.options) return { options: given, issues: [] };
  const result = await validated(plugin, given);
  if (!result.issues) return { options: result.value, issues: [] };
  return {
    options: undefined,
    issues: optionIssues(result.issues, given, ['context', 'engines', key], plugin.options),
  };
}

async function validated(plugin: EnginePlugin, given: unknown): Promise<StandardResult<unknown>> {
  try {
    return await plugin.options!['~standard'].validate(given);
  } catch (error) {
    throw new PalimpsestError(
      'ENGINE_INVALID',
      `The options of engine "${plugin.name}" cannot be checked because its schema failed: ${failureReason(error, (text) => redact(text, { boundary: true }))}`,
      { source: plugin.name },
    );
  }
}
