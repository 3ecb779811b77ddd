import type { SharedStore, StoredState } from '../options/session-store.ts';

export interface MemoryStoreOptions {
  /** A state that was not written for this time expires, in milliseconds. @default never */
  readonly expireAfterMs?: number | undefined;
}

/**
 * Stores the state of sessions in memory, for tests and for one process that opens a session for each request. It behaves
 * as the shared stores of databases do.
 * @example
 * const store = memoryStore();
 * createSession({ id: 'chat-42', store, engine, model });
 */
export function memoryStore({ expireAfterMs = Number.POSITIVE_INFINITY }: MemoryStoreOptions = {}): SharedStore {
  const states = new Map<string, StoredState & { readonly until: number }>();
  const leases = new Map<string, { readonly until: number }>();
  let versions = 0;
  const find = (id: string): StoredState | null => {
    const found = states.get(id);
    if (!found || found.until > Date.now()) return found ?? null;
    states.delete(id);
    return null;
  };
  return {
    async load(id) {
      const found = find(id);
      return found && { text: found.text, version: found.version };
    },
    version: async (id) => find(id)?.version ?? null,
    async save(id, text, before) {
      if ((find(id)?.version ?? null) !== before) return null;
      const version = String(++versions);
      states.set(id, { text, version, until: Date.now() + expireAfterMs });
      return version;
    },
    async delete(id) {
      states.delete(id);
    },
    async lease(name, forMs) {
      const held = leases.get(name);
      if (held && held.until > Date.now()) return null;
      const own = { until: Date.now() + forMs };
      leases.set(name, own);
      return async () => {
        if (leases.get(name) === own) leases.delete(name);
      };
    },
  };
}
