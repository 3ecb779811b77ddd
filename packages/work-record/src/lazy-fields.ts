/** Calls a function when its value is first needed, and only then. */
export function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: read() }).value;
}

/** Makes an object whose fields are read when they are first used. */
export function lazyFields<Fields extends object>(
  readers: { readonly [Name in keyof Fields]: () => Fields[Name] },
): Fields {
  const fields = {};
  for (const [name, read] of Object.entries<() => unknown>(readers))
    Object.defineProperty(fields, name, { get: once(read), enumerable: true });
  return fields as Fields;
}
