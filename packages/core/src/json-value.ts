/** True for what survives a trip through JSON unchanged: no functions, no class instances, no `undefined` in arrays, no cycles. */
export function isJsonValue(value: unknown): boolean {
  return isJsonPart(value, new Set(), new Set());
}

/** What was found to be JSON once is not looked at again, however often it is referred to. */
function isJsonPart(value: unknown, ancestors: Set<object>, known: Set<object>): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || ancestors.has(value)) return false;
  if (known.has(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  ancestors.add(value);
  const holds = Array.isArray(value)
    ? value.every((item) => isJsonPart(item, ancestors, known))
    : Object.values(value).every((item) => item === undefined || isJsonPart(item, ancestors, known));
  ancestors.delete(value);
  if (holds) known.add(value);
  return holds;
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
