/**
 * Caches a value per native message object. A message that was changed in place is read again, unless the change is deeper
 * than a field of one of its parts.
 */
export class Memo<Value> {
  readonly #known = new WeakMap<object, { readonly state: readonly unknown[]; readonly value: Value }>();

  /**
   * @param natives the objects the value is read from; the first is the key
   * @param beside what else the value depends on, such as the place of the message
   */
  recall(natives: readonly object[], read: () => Value, beside: readonly unknown[] = []): Value {
    const [key] = natives;
    const state = [...stateOf(natives), ...beside];
    const known = key && this.#known.get(key);
    if (known && known.state.length === state.length && known.state.every((item, at) => item === state[at]))
      return known.value;
    const value = read();
    if (key) this.#known.set(key, { state, value });
    return value;
  }
}

/** Lists all fields of the objects, and of the parts in their lists, by reference. */
function stateOf(natives: readonly object[]): unknown[] {
  const state: unknown[] = [];
  for (const native of natives) {
    state.push(native);
    for (const value of Object.values(native)) {
      state.push(value);
      if (!Array.isArray(value)) continue;
      for (const part of value as unknown[]) {
        state.push(part);
        if (typeof part === 'object' && part !== null) for (const field of Object.values(part)) state.push(field);
      }
    }
  }
  return state;
}
