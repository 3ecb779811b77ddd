/** The little of a zod schema that is looked at: the keys of an object, and what a wrapper wraps. */
interface ZodLike {
  readonly shape?: Readonly<Record<string, unknown>> | undefined;
  readonly def?: { readonly innerType?: unknown; readonly valueType?: unknown; readonly element?: unknown } | undefined;
}

/**
 * The keys an object schema knows at a path, for a better message about an unknown one. Standard Schema tells none;
 * zod's object schemas do. An empty list for any other schema.
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

/** Through `optional`, `default`, `prefault` and their like, to what they wrap. */
function unwrapped(schema: unknown): ZodLike | null {
  let at = schema as ZodLike | null | undefined;
  for (let depth = 0; depth < 16 && at?.def?.innerType; depth++) at = at.def.innerType as ZodLike;
  return typeof at === 'object' && at !== null ? at : null;
}
