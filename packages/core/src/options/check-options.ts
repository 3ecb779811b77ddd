import { isRecord } from '../json/is-record.ts';
import {
  describeType,
  describeUnknownOption,
  invalidOptions,
  type OptionIssue,
  optionPath,
  wrongValue,
} from './option-errors.ts';
import type { OptionRule, OptionRules, RulesOf } from './option-rules.ts';
import type { StandardSchema } from './standard-schema.ts';

/** What is wrong with one option, and the steps to it. */
interface OptionProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Checks all options of a function. Options that are not known are rejected, because they would be ignored otherwise.
 * @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once
 */
export function checkOptions(owner: string, options: object, rules: OptionRules, expected?: string): void {
  const issues = findOptionIssues(options, ruleOfAll(rules, expected));
  if (issues.length > 0) throw invalidOptions(issues, { owner });
}

/** Finds everything that is wrong with a value. @param path the steps to the value */
export function findOptionIssues(value: unknown, rule: OptionRule, path: readonly string[] = []): OptionIssue[] {
  return problemsOf(value, rule, path).map(({ path: steps, message }) => ({ path: optionPath(steps), message }));
}

function ruleOfAll(fields: OptionRules, expected: string = 'an object with options'): OptionRule {
  return { expected, isValid: isRecord, fields };
}

function problemsOf(value: unknown, rule: OptionRule, path: readonly PropertyKey[]): OptionProblem[] {
  const { expected, isValid, describe = describeType, fields, items } = rule;
  if (!isValid(value))
    return [{ path, message: wrongValue(expected, describe(value)) }, ...findUnknownFields(value, rule, path)];
  if (items && Array.isArray(value)) return value.flatMap((item, at) => problemsOf(item, items, [...path, at]));
  if (!isRecord(value)) return [];
  if (items) return Object.entries(value).flatMap(([key, item]) => problemsOf(item, items, [...path, key]));
  const wrong = Object.entries(fields ?? {}).flatMap(([name, field]) =>
    value[name] === undefined && !field.isRequired ? [] : problemsOf(value[name], field, [...path, name]),
  );
  return [...findUnknownFields(value, rule, path), ...wrong];
}

/** Only plain objects are checked, and fields that are `undefined` are ignored. */
function findUnknownFields(
  value: unknown,
  { fields, isOpen }: OptionRule,
  path: readonly PropertyKey[],
): OptionProblem[] {
  if (!fields || isOpen || !isPlainObject(value)) return [];
  const known = Object.keys(fields);
  return Object.keys(value)
    .filter((key) => value[key] !== undefined && !known.includes(key))
    .map((key) => ({ path: [...path, key], message: describeUnknownOption(key, known) }));
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The options that have to have a default: those that are never `undefined`. */
type DefaultsOf<Options> = {
  readonly [Name in keyof Options as undefined extends Options[Name] ? never : Name]: Options[Name];
};

/**
 * Makes a Standard Schema (https://standardschema.dev) for the options of an engine. It rejects unknown options, reports
 * all problems at once, and fills in the defaults.
 * @param rules one for each option
 */
export function optionSchema<Options extends object>(
  rules: RulesOf<NoInfer<Options>>,
  defaults: DefaultsOf<NoInfer<Options>>,
): StandardSchema<{ readonly [Name in keyof Options]?: Options[Name] | undefined } | undefined, Options> {
  const rule = ruleOfAll(rules);
  return {
    '~standard': {
      version: 1,
      vendor: 'palimpsest',
      validate(given = {}) {
        const issues = problemsOf(given, rule, []);
        if (issues.length > 0) return { issues };
        const values = given as Readonly<Record<string, unknown>>;
        const named = Object.keys(rules).filter((name) => values[name] !== undefined);
        return { value: { ...defaults, ...Object.fromEntries(named.map((name) => [name, values[name]])) } as Options };
      },
    },
  };
}
