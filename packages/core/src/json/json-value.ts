/** Maximum nesting of state and snapshots. Beyond it, JSON and structured clones may fail. */
const maxDepth = 1_000;

/**
 * True for a value that survives a JSON round trip unchanged: no functions, no class instances, no `undefined` in
 * arrays, no cycles, and at most 1,000 levels. Does not recurse.
 */
export function isJsonValue(value: unknown): boolean {
  // Objects already visited, so that a shared object is checked only once.
  const known = new Set<object>();
  const ancestors = new Set<object>();
  const open: { readonly source: object; readonly items: readonly unknown[]; next: number }[] = [];
  /** Checks a leaf, or opens an object or array for traversal. Returns `false` when it is not JSON. */
  const enter = (item: unknown): boolean => {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return true;
    if (typeof item === 'number') return Number.isFinite(item);
    if (typeof item !== 'object' || ancestors.has(item) || ancestors.size >= maxDepth) return false;
    if (known.has(item)) return true;
    const prototype: unknown = Object.getPrototypeOf(item);
    const isList = Array.isArray(item);
    if (!isList && prototype !== Object.prototype && prototype !== null) return false;
    ancestors.add(item);
    const items = isList ? item : Object.values(item).filter((field) => field !== undefined);
    open.push({ source: item, items, next: 0 });
    return true;
  };
  if (!enter(value)) return false;
  for (let top = open.at(-1); top; top = open.at(-1)) {
    if (top.next < top.items.length) {
      if (!enter(top.items[top.next++])) return false;
      continue;
    }
    ancestors.delete(top.source);
    known.add(top.source);
    open.pop();
  }
  return true;
}

/** True for text that `JSON.parse` accepts. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
