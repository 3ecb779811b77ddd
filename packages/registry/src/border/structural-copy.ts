const deepest = 1_000;

/**
 * Deep-copies and freezes data. The copy shares no object with the original. Plain objects and arrays keep their
 * structure (cycles too), bytes are copied, any other object becomes a plain object with its own fields. Strings are
 * shared, so copying a transcript is cheap. Does not recurse. Values nested deeper than 1,000 levels become `null`,
 * because they could not be sent to a worker.
 */
export function structuralCopy<T>(value: T): T {
  const copies = new Map<object, object>();
  const pending: [source: object, copy: Record<PropertyKey, unknown>, depth: number][] = [];
  const copyOf = (source: unknown, depth: number): unknown => {
    if (typeof source !== 'object' || source === null) return typeof source === 'function' ? undefined : source;
    const known = copies.get(source);
    if (known) return known;
    if (depth > deepest) return null;
    const copy = ArrayBuffer.isView(source) || source instanceof ArrayBuffer ? structuredClone(source) : shell(source);
    copies.set(source, copy);
    if (!ArrayBuffer.isView(copy) && !(copy instanceof ArrayBuffer))
      pending.push([source, copy as Record<PropertyKey, unknown>, depth]);
    return copy;
  };
  const result = copyOf(value, 0);
  const filled: object[] = [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [source, copy, depth] = next;
    for (const key of Object.keys(source))
      Object.defineProperty(copy, key, {
        value: copyOf((source as Record<string, unknown>)[key], depth + 1),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    filled.push(copy);
  }
  for (const copy of filled) Object.freeze(copy);
  return result as T;
}

function shell(source: object): object {
  return Array.isArray(source) ? new Array(source.length) : {};
}
