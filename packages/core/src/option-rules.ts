import { isRecord } from './json/is-record.ts';
import { OptionCheck, shownType } from './option-check.ts';

/** What an option must be. */
export interface OptionRule {
  /** Such as `a function`, for the error message. */
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** Shows an invalid value, never a secret. @default its type */
  readonly shown?: ((value: unknown) => string) | undefined;
  /** True for an option that may not be left out. */
  readonly isRequired?: boolean | undefined;
  /** The rules of a group of options. */
  readonly fields?: OptionRules | undefined;
  /** True for a group that may have other fields. */
  readonly isOpen?: boolean | undefined;
}

export type OptionRules = Readonly<Record<string, OptionRule>>;

function checkRules(check: OptionCheck, options: object, rules: OptionRules, prefix: string): void {
  for (const [name, rule] of Object.entries(rules)) {
    const { expected, isValid, shown = shownType, fields } = rule;
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined && !rule.isRequired) continue;
    const path = prefix + name;
    const isFitting = isValid(value);
    check.expect(isFitting, path, expected, shown(value));
    if (!fields || !isRecord(value)) continue;
    if (!rule.isOpen) check.known(path, value, Object.keys(fields));
    if (isFitting) checkRules(check, value, fields, `${path}.`);
  }
}

/** Checks all options of a function. @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once */
export function checkOptions(owner: string, options: object, rules: OptionRules, expected?: string): void {
  const check = new OptionCheck();
  if (check.object('', options, Object.keys(rules), expected)) checkRules(check, options, rules, '');
  check.finish(owner);
}

/** Shows a value, a text shortened. Not for secrets. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return shownType(value);
}

export const functionRule: OptionRule = { expected: 'a function', isValid: (value) => typeof value === 'function' };

export const switchRule: OptionRule = {
  expected: 'true or false',
  isValid: (value) => typeof value === 'boolean',
  shown: shownValue,
};

export const textRule: OptionRule = { expected: 'a string', isValid: (value) => typeof value === 'string' };

export const signalRule: OptionRule = {
  expected: 'an AbortSignal',
  isValid: (value) => typeof Object(value).aborted === 'boolean',
};

export const amountRule: OptionRule = {
  expected: 'a number of 0 or more',
  isValid: (value) => Number.isFinite(value) && (value as number) >= 0,
  shown: shownValue,
};

/** For what is counted, such as turns. */
export const countRule: OptionRule = {
  expected: 'a whole number of 0 or more',
  isValid: (value) => Number.isInteger(value) && (value as number) >= 0,
  shown: shownValue,
};

export function numberRule(low: number, high: number): OptionRule {
  const isValid = (value: unknown): boolean => typeof value === 'number' && value >= low && value <= high;
  return { expected: `a number from ${low} to ${high}`, isValid, shown: shownValue };
}

/** A value with these methods. */
export function methodsRule(expected: string, ...names: readonly string[]): OptionRule {
  const isValid = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');
  return { expected, isValid };
}

/** A group of options. */
export function groupRule(fields: OptionRules, expected: string = 'an object with options'): OptionRule {
  return { expected, isValid: isRecord, shown: shownValue, fields };
}
