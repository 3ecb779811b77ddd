/** State and snapshots nested deeper than this are refused: neither JSON nor a structured clone is sure to carry them. */
const deepest = 1_000;

/**
 * True for what survives a trip through JSON unchanged: no functions, no class instances, no `undefined` in arrays, no
 * cycles, and at most 1,000 levels. Does not recurse.
 */
export function isJsonValue(value: unknown): boolean {
  // What was found to be JSON once is not looked at again, however often it is referred to.
  const known = new Set<object>();
  const ancestors = new Set<object>();
  const open: { readonly source: object; readonly items: readonly unknown[]; next: number }[] = [];
  /** Judges a leaf, or opens what has to be looked into. */
  const enter = (item: unknown): boolean => {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return true;
    if (typeof item === 'number') return Number.isFinite(item);
    if (typeof item !== 'object' || ancestors.has(item) || ancestors.size >= deepest) return false;
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
