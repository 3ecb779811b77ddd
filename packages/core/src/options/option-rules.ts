import { isRecord } from '../json/is-record.ts';
import { describeType } from './option-errors.ts';

/** What an option must be. */
export interface OptionRule {
  /** Such as `a function`, for the error message. */
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** Shows an invalid value, never a secret. @default its type */
  readonly describe?: ((value: unknown) => string) | undefined;
  /** True for an option that may not be left out. */
  readonly isRequired?: boolean | undefined;
  /** The rules of a group of options. */
  readonly fields?: OptionRules | undefined;
  /** True for a group that may have other fields. */
  readonly isOpen?: boolean | undefined;
  /** The rule of each item of a list, or of each value of a table with free keys. */
  readonly items?: OptionRule | undefined;
}

export type OptionRules = Readonly<Record<string, OptionRule>>;

/** A rule for each option of an interface. The compiler rejects a table that is not complete. */
export type RulesOf<Options> = { readonly [Name in keyof Options]-?: OptionRule };

/** The longest wait of a timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** A longer text may be a secret that was pasted in the wrong place. Characters. */
const maxShownLength = 20;

/** Describes a value for an error message. A long text may be a secret, so only its type is named. */
export function describeValue(value: unknown): string {
  return typeof value === 'string' && value.length <= maxShownLength ? JSON.stringify(value) : describeType(value);
}

export const anyRule: OptionRule = { expected: 'a value', isValid: () => true };

export const functionRule: OptionRule = { expected: 'a function', isValid: (value) => typeof value === 'function' };

export const switchRule: OptionRule = {
  expected: 'true or false',
  isValid: (value) => typeof value === 'boolean',
  describe: describeValue,
};

/** For an option that can be turned off. */
export const falseRule: OptionRule = { expected: 'false', isValid: (value) => value === false };

export const textRule: OptionRule = { expected: 'a string', isValid: (value) => typeof value === 'string' };

export const filledTextRule: OptionRule = {
  expected: 'a non-empty string',
  isValid: (value) => typeof value === 'string' && value !== '',
};

export const signalRule: OptionRule = {
  expected: 'an AbortSignal',
  isValid: (value) => typeof Object(value).aborted === 'boolean',
};

export const amountRule: OptionRule = {
  expected: 'a number of 0 or more',
  isValid: (value) => Number.isFinite(value) && (value as number) >= 0,
  describe: describeValue,
};

export function wholeNumberRule(min: number): OptionRule {
  const isValid = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= min;
  return { expected: `a whole number of ${min} or more`, isValid, describe: describeValue };
}

/** For what is counted, such as turns. */
export const countRule: OptionRule = /* @__PURE__ */ wholeNumberRule(0);

export function numberRule(low: number, high: number, what: string = 'a number'): OptionRule {
  const isValid = (value: unknown): boolean => typeof value === 'number' && value >= low && value <= high;
  return { expected: `${what} from ${low} to ${high}`, isValid, describe: describeValue };
}

/** For a time limit that a timer keeps. */
export const timeoutRule: OptionRule = /* @__PURE__ */ numberRule(1, maxTimerMs, 'a number of milliseconds');

/** One of these texts. */
export function choiceRule(choices: readonly string[]): OptionRule {
  const quoted = choices.map((choice) => `'${choice}'`);
  return {
    expected: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
    isValid: (value) => choices.some((choice) => choice === value),
    describe: describeValue,
  };
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
  return { expected, isValid: isRecord, describe: describeValue, fields };
}

export function listRule(items: OptionRule, expected: string): OptionRule {
  return { expected, isValid: Array.isArray, describe: describeValue, items };
}

/** An object with free keys. */
export function tableRule(items: OptionRule, expected: string): OptionRule {
  return { expected, isValid: isRecord, describe: describeValue, items };
}

/** What one of two rules allows. */
export function eitherRule(rule: OptionRule, other: OptionRule): OptionRule {
  return {
    ...other,
    ...rule,
    expected: `${rule.expected}, or ${other.expected}`,
    isValid: (value) => rule.isValid(value) || other.isValid(value),
  };
}
