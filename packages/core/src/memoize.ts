/** Caches a function of an object that never changes. Entries are garbage-collected with their objects. */
export function memoizeByObject<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const memos = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = memos.get(key) ?? { value: read(key) };
    memos.set(key, known);
    return known.value;
  };
}
