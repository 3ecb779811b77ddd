import { isRecord } from '../json/is-record.ts';
import { checkOptions } from '../options/check-options.ts';
import { describeValue, type OptionRule } from '../options/option-rules.ts';
import type { ModelInfo } from './model.ts';

const isTokens = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

/** What a model must be. It may have other fields. */
export const modelRule: OptionRule = {
  expected: '{ id, contextLength } in tokens, 0 for an unknown window',
  isValid: isRecord,
  isRequired: true,
  isOpen: true,
  fields: {
    id: { expected: "the model's name as a string", isValid: (value) => typeof value === 'string', isRequired: true },
    contextLength: {
      expected: 'a number of tokens, such as 32_000; 0 for an unknown window',
      isValid: (value) => typeof value === 'number' && value >= 0,
      describe: describeValue,
      isRequired: true,
    },
    maxInputTokens: {
      expected: 'a number of tokens above 0',
      isValid: (value) => isTokens(value) && value !== 0,
      describe: describeValue,
    },
    reserveOutputTokens: { expected: 'a number of tokens, 0 or more', isValid: isTokens, describe: describeValue },
  },
};

/**
 * Rejects a model with invalid numbers. With `NaN`, the threshold would be `NaN`, and compaction would always or never
 * run.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function checkModel(model: ModelInfo): void {
  checkOptions('updateModel', { model }, { model: modelRule });
}
