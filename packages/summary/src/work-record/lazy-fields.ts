/** Returns a function that calls `read` on first use and caches the value. */
export function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: read() }).value;
}

/** Creates an object whose fields are computed on first use. */
export function lazyFields<Fields extends object>(
  readers: { readonly [Name in keyof Fields]: () => Fields[Name] },
): Fields {
  const fields = {};
  for (const [name, read] of Object.entries<() => unknown>(readers))
    Object.defineProperty(fields, name, { get: once(read), enumerable: true });
  return fields as Fields;
}
