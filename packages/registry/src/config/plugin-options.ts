import { PalimpsestError } from '@palimpsest/core';
import type { EnginePlugin, OptionIssue } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { failureReason } from '../failure-reason.ts';
import { optionIssues } from './option-issue.ts';

/** Validated options, ready for `create`, or the problems found in them. */
export interface CheckedOptions {
  readonly options?: unknown;
  readonly issues: readonly OptionIssue[];
}

/**
 * Validates the configured options of an engine (by default `{}`) with its schema. A plugin without a schema gets them
 * unvalidated.
 */
export async function checkPluginOptions(
  { name, options: schema }: EnginePlugin,
  configured: unknown,
  key: string,
): Promise<CheckedOptions> {
  const given = configured ?? {};
  if (!schema) return { options: given, issues: [] };
  try {
    const result = await schema['~standard'].validate(given);
    if (!result.issues) return { options: result.value, issues: [] };
    return { issues: optionIssues(result.issues, given, ['context', 'engines', key], schema) };
  } catch (error) {
    const reason = failureReason(error, (text) => redact(text, { boundary: true }));
    const message = `The options of engine "${name}" cannot be checked because its schema failed: ${reason}`;
    throw new PalimpsestError('ENGINE_INVALID', message, { source: name });
  }
}
