/** The parts of a zod schema that are read: the keys of an object, and the schema inside a wrapper. */
interface ZodLike {
  readonly shape?: Readonly<Record<string, unknown>> | undefined;
  readonly def?: { readonly innerType?: unknown; readonly valueType?: unknown; readonly element?: unknown } | undefined;
}

/**
 * Lists the keys an object schema knows at a path, to suggest one for an unknown key. Standard Schema does not expose
 * keys, but zod's object schemas do. Returns an empty list for other schemas.
 */
export function knownKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  let at = unwrapped(schema);
  for (const step of path) {
    const { shape } = at ?? {};
    const named = shape && Object.hasOwn(shape, String(step)) ? shape[String(step)] : undefined;
    const next = shape ? named : (at?.def?.valueType ?? at?.def?.element);
    at = unwrapped(next);
  }
  return at?.shape ? Object.keys(at.shape) : [];
}

/** Removes wrappers such as `optional`, `default` and `prefault`. */
function unwrapped(schema: unknown): ZodLike | null {
  let at = schema as ZodLike | null | undefined;
  for (let depth = 0; depth < 16 && at?.def?.innerType; depth++) at = at.def.innerType as ZodLike;
  return typeof at === 'object' && at !== null ? at : null;
}
