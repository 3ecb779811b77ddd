import type { SessionStore } from '../../src/persistence/session-store.ts';

/** A store in memory, whose values a test can read and damage. */
export function memoryStore(): SessionStore & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: async (key) => values.get(key) ?? null,
    setItem: async (key, value) => {
      values.set(key, value);
    },
  };
}

/** Sequence number of the state in a slot. */
export const sequenceOf = (value: string): number => Number(value.split(' ')[1]);

/** The slot that was written last. */
export function newestSlot(values: ReadonlyMap<string, string>): [key: string, value: string] {
  return [...values].reduce((a, b) => (sequenceOf(a[1]) > sequenceOf(b[1]) ? a : b));
}
