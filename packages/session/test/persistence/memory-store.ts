import type { SessionStore } from '../../src/options/session-store.ts';
import { keyValueStore } from '../../src/persistence/key-value-store.ts';

/** A store in memory, whose values a test can read and damage. */
export function memoryStore(
  values: Map<string, string> = new Map(),
): SessionStore & { readonly values: typeof values } {
  const storage = {
    getItem: async (key: string) => values.get(key) ?? null,
    setItem: async (key: string, value: string) => void values.set(key, value),
  };
  return { values, ...keyValueStore(storage) };
}
