import { PalimpsestError } from '@palimpsest/core';
import { describeUnknownOption, type OptionIssue, optionPath } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';

/** An issue as Standard Schema reports it; zod adds the names of unknown keys. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string | undefined;
  readonly keys?: readonly string[] | undefined;
}

/**
 * Completes the issues of a schema: the whole path, a number that was given, and for an unknown key the nearest known one.
 * @param prefix path of the validated value
 * @param schema source of the known keys, if it is a zod schema
 */
export function schemaIssues(
  issues: readonly SchemaIssue[],
  value: unknown,
  prefix: readonly string[],
  schema: unknown,
): OptionIssue[] {
  return issues.flatMap(({ message, path = [], code, keys }) => {
    const steps = path.map((step) => (typeof step === 'object' ? step.key : step));
    const at = [...prefix, ...steps];
    if (code === 'unrecognized_keys' && keys) {
      const known = listKeys(schema, steps);
      return keys.map((key) => ({ path: optionPath([...at, key]), message: describeUnknownOption(key, known) }));
    }
    const given = steps.reduce<unknown>((from, step) => Object(from)[step], value);
    const isSaid = typeof given !== 'number' || message.includes('given:');
    return [{ path: optionPath(at), message: isSaid ? message : `${message}; given: ${given}` }];
  });
}

/** Maximum number of listed problems. A file with more is probably the wrong file. */
const maxListed = 100;

/**
 * Throws one error that lists every issue; returns when there are none.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function refuseOptions(issues: readonly OptionIssue[], source?: string): void {
  if (issues.length === 0) return;
  // A key may be a secret that was pasted in the wrong place.
  const lines = issues.slice(0, maxListed).map(({ path, message }) => redact(`  ${path}: ${message}`));
  if (issues.length > maxListed) lines.push(`  and ${issues.length - maxListed} more`);
  const count = issues.length === 1 ? 'One option is' : `${issues.length} options are`;
  throw new PalimpsestError(
    'OPTION_INVALID',
    `${count} not valid${source === undefined ? '' : ` in ${source}`}:\n${lines.join('\n')}`,
    { issues: issues.slice(0, maxListed), ...(source === undefined ? {} : { file: source }) },
  );
}

/** The parts of a zod schema that are read: the keys of an object, and the schema inside a wrapper. */
interface ZodLike {
  readonly shape?: Readonly<Record<string, unknown>> | undefined;
  readonly def?: { readonly innerType?: unknown; readonly valueType?: unknown; readonly element?: unknown } | undefined;
}

/**
 * Lists the keys an object schema knows at a path, to suggest one for an unknown key. Standard Schema does not expose
 * keys, but zod's object schemas do. Returns an empty list for other schemas.
 */
function listKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  let at = unwrap(schema);
  for (const step of path) {
    const { shape } = at ?? {};
    const named = shape && Object.hasOwn(shape, String(step)) ? shape[String(step)] : undefined;
    const next = shape ? named : (at?.def?.valueType ?? at?.def?.element);
    at = unwrap(next);
  }
  return at?.shape ? Object.keys(at.shape) : [];
}

/** Removes wrappers such as `optional`, `default` and `prefault`. */
function unwrap(schema: unknown): ZodLike | null {
  let at = schema as ZodLike | null | undefined;
  for (let depth = 0; depth < 16 && at?.def?.innerType; depth++) at = at.def.innerType as ZodLike;
  return typeof at === 'object' && at !== null ? at : null;
}
