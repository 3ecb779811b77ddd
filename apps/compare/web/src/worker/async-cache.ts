/** Memoizes an asynchronous function; the oldest results are evicted first. */
export interface AsyncCache<Key, Value> {
  get(key: Key): Promise<Value>;
  clear(): void;
}

/**
 * @param compute results of `null` and rejections are not cached
 * @param capacity the number of results to keep
 */
export function createAsyncCache<Key, Value>(
  compute: (key: Key) => Promise<Value>,
  capacity = 64,
): AsyncCache<Key, Value> {
  const values = new Map<string, Promise<Value>>();
  return {
    get(key) {
      const text = JSON.stringify(key);
      const known = values.get(text);
      if (known) return known;
      const value = compute(key);
      values.set(text, value);
      const drop = (): void => {
        if (values.get(text) === value) values.delete(text);
      };
      value.then((result) => {
        if (result === null) drop();
      }, drop);
      if (values.size > capacity) values.delete(values.keys().next().value!);
      return value;
    },
    clear: () => values.clear(),
  };
}
