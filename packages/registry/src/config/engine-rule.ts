import { isRecord, type OptionRule } from '@palimpsest/core/authoring';

/** For functions that take an engine by its name, or the whole configuration. */
export const engineRule: OptionRule = {
  expected: "an engine's name, or a configuration { engine, ... }",
  isValid: (value) => typeof value === 'string' || isRecord(value),
};
