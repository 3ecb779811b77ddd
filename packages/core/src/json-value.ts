/** True for what survives a trip through JSON unchanged: no functions, no class instances, no `undefined` in arrays, no cycles. */
export function isJsonValue(value: unknown, ancestors: readonly object[] = []): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || ancestors.includes(value)) return false;
  const below = [...ancestors, value];
  if (Array.isArray(value)) return value.every((item) => isJsonValue(item, below));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => item === undefined || isJsonValue(item, below));
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
