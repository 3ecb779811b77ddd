import { PalimpsestError } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { nearestName, suggestion } from './nearest-name.ts';
import { knownKeys } from './schema-keys.ts';

/** One option that is wrong. */
export interface OptionIssue {
  /** Where it stands, such as `context.engines.compressor.threshold`. */
  readonly path: string;
  /** What was expected, and what was given. */
  readonly message: string;
}

/** An issue as Standard Schema gives it; zod adds the names of keys it does not know. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  /** The keys that are known there, when the schema itself lies elsewhere. */
  readonly known?: readonly string[] | undefined;
}

/**
 * Words the issues of a schema for a person: the whole path, what was expected, what was given, and for an unknown key
 * the nearest one.
 * @param prefix the path of the validated value itself
 * @param schema where known keys are looked up, when it is a zod schema
 */
export function optionIssues(
  issues: readonly SchemaIssue[],
  value: unknown,
  prefix: readonly string[],
  schema: unknown,
): OptionIssue[] {
  return issues.flatMap((issue) => {
    const steps = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
    if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
      const known = issue.known ?? knownKeys(schema, steps);
      return issue.keys.map((key) => ({
        path: written([...prefix, ...steps, key]),
        message: `there is no such option.${suggestion(nearestName(key, known))}${known.length > 0 ? ` Known: ${known.join(', ')}.` : ''}`,
      }));
    }
    const expected = issue.message.replace(/^Invalid (?:input|option): /, '');
    return [
      {
        path: written([...prefix, ...steps]),
        message: `${expected}; given: ${shown(steps.at(-1), valueAt(value, steps))}`,
      },
    ];
  });
}

/**
 * Throws one error that lists every issue; returns when there are none.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function refuseOptions(issues: readonly OptionIssue[], source?: string): void {
  if (issues.length === 0) return;
  const lines = issues.map(({ path, message }) => `  ${path}: ${message}`);
  const count = issues.length === 1 ? 'One option is' : `${issues.length} options are`;
  throw new PalimpsestError(
    'OPTION_INVALID',
    `${count} not valid${source === undefined ? '' : ` in ${source}`}:\n${lines.join('\n')}`,
    { issues, ...(source === undefined ? {} : { file: source }) },
  );
}

/** A path as it is written in code: `context.engines["prune-compact"].tail.0`. */
function written(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, index) => {
      const text = String(step);
      if (/^[A-Za-z_$][\w$]*$/.test(text)) return index === 0 ? text : `.${text}`;
      return typeof step === 'number' ? `[${text}]` : `[${JSON.stringify(text)}]`;
    })
    .join('');
}

function valueAt(value: unknown, steps: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}

const longest = 80;

/** A value for a message: short, and masked where its key or its shape says it is a secret. */
function shown(key: PropertyKey | undefined, value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  const text = json(value);
  const named = `${String(key ?? 'value')}=`;
  const masked = redact(named + text, { boundary: true });
  const own = masked.startsWith(named) ? masked.slice(named.length) : masked;
  return own.length > longest ? `${own.slice(0, longest)}...` : own;
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a value of type ${typeof value}`;
  }
}
