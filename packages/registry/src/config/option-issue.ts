import { PalimpsestError } from '@palimpsest/core';
import { type OptionIssue, unknownOption } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { knownKeys } from './schema-keys.ts';

/** An issue as Standard Schema reports it; zod adds the names of unknown keys. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  /** The known keys at the path, when the schema itself is in a worker. */
  readonly known?: readonly string[] | undefined;
}

/**
 * Formats the issues of a schema for people: the full path, the expected and the given value, and for an unknown key
 * the nearest known one.
 * @param prefix path of the validated value
 * @param schema source of the known keys, if it is a zod schema
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
      return issue.keys.map((key) => unknownOption(written([...prefix, ...steps, key]), key, known));
    }
    const given = valueAt(value, steps);
    const expected = withoutValue(issue.message.replace(/^Invalid (?:input|option): /, ''), given);
    return [{ path: written([...prefix, ...steps]), message: `${expected}; given: ${shown(steps.at(-1), given)}` }];
  });
}

/** Maximum number of listed problems. A file with more is probably the wrong file. */
const mostListed = 100;

/**
 * Throws one error that lists every issue; returns when there are none.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function refuseOptions(issues: readonly OptionIssue[], source?: string): void {
  if (issues.length === 0) return;
  // A key may be a secret that was pasted in the wrong place.
  const lines = issues.slice(0, mostListed).map(({ path, message }) => redact(`  ${path}: ${message}`));
  if (issues.length > mostListed) lines.push(`  and ${issues.length - mostListed} more`);
  const count = issues.length === 1 ? 'One option is' : `${issues.length} options are`;
  throw new PalimpsestError(
    'OPTION_INVALID',
    `${count} not valid${source === undefined ? '' : ` in ${source}`}:\n${lines.join('\n')}`,
    { issues: issues.slice(0, mostListed), ...(source === undefined ? {} : { file: source }) },
  );
}

/** Formats a path as in code: `context.engines["prune-compact"].tail.0`. */
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
    at = Object.hasOwn(at, step) ? (at as Record<PropertyKey, unknown>)[step] : undefined;
  }
  return at;
}

/** Values that may be shown: one to three words, such as a misspelled setting. Anything else may be a secret. */
const plainWords = /^[A-Za-z]+(?:[ _-][A-Za-z]+){0,2}$/;
const longestWords = 16;
/** Values with at least this many characters are removed from schema messages that quote them. */
const shortestQuote = 4;

/** Formats a value for an error message: numbers and plain words verbatim, anything else as a description. */
function shown(key: PropertyKey | undefined, value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return isMasked(key, String(value)) ? 'a number' : String(value);
  if (typeof value === 'string') {
    const isPlain = value.trim() === '' || (value.length <= longestWords && plainWords.test(value));
    return isPlain && !isMasked(key, value) ? JSON.stringify(value) : `a text of ${counted(value.length, 'character')}`;
  }
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'item')}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isMasked(key: PropertyKey | undefined, text: string): boolean {
  const written = `${String(key ?? 'value')}=${text}`;
  return redact(written, { boundary: true }) !== written;
}

/** Removes the given value from a schema's message, because some schemas quote it. */
function withoutValue(message: string, value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  const clean =
    text.length < shortestQuote ? message : message.replaceAll(JSON.stringify(text), '...').replaceAll(text, '...');
  return redact(clean, { boundary: true });
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
