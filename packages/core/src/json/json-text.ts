/**
 * Writes a value as JSON, like `JSON.stringify` but without a depth limit: anything that was parsed can be written
 * again. Ordinary values are written by `JSON.stringify` itself.
 * @returns the JSON text, or `undefined` for values that JSON cannot express (a function, `undefined`)
 * @throws {TypeError} for cycles and for `bigint` values, like `JSON.stringify`
 */
export function jsonText(value: object): string;
export function jsonText(value: unknown): string | undefined;
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The call stack overflowed, which happens at a few thousand levels.
    if (error instanceof RangeError) return deepText(value);
    throw error;
  }
}

/** An object or array being written. `keys` is `null` for an array. */
interface Open {
  readonly source: object;
  readonly keys: readonly string[] | null;
  next: number;
  isEmpty: boolean;
}

function deepText(root: unknown): string | undefined {
  const pieces: string[] = [];
  const open: Open[] = [];
  const ancestors = new Set<object>();
  /** Writes a leaf, or opens an object or array. Returns `false` when there is nothing to write. */
  const write = (value: unknown, before: string): boolean => {
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value) as string | undefined;
      if (text !== undefined) pieces.push(before, text);
      return text !== undefined;
    }
    if (ancestors.has(value)) throw new TypeError('Cannot write a circular value as JSON.');
    ancestors.add(value);
    const isList = Array.isArray(value);
    pieces.push(before, isList ? '[' : '{');
    open.push({ source: value, keys: isList ? null : Object.keys(value), next: 0, isEmpty: true });
    return true;
  };
  if (!write(plain(root, ''), '')) return undefined;
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { source, keys } = top;
    if (top.next >= (keys ?? (source as readonly unknown[])).length) {
      pieces.push(keys === null ? ']' : '}');
      ancestors.delete(source);
      open.pop();
      continue;
    }
    const key = keys === null ? String(top.next) : keys[top.next]!;
    top.next++;
    const item = plain((source as Readonly<Record<string, unknown>>)[key], key);
    const comma = top.isEmpty ? '' : ',';
    const written = write(item, keys === null ? comma : `${comma}${JSON.stringify(key)}:`);
    if (written) top.isEmpty = false;
    else if (keys === null) {
      pieces.push(`${comma}null`);
      top.isEmpty = false;
    }
  }
  return pieces.join('');
}

/** Returns what JSON serializes for a value: the result of its `toJSON` if it has one, otherwise the value itself. */
function plain(value: unknown, key: string): unknown {
  const written = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
  return typeof written === 'function' ? (written.call(value, key) as unknown) : value;
}
