import { checksum } from '@palimpsest/core/authoring';
import type { KeyValueStorage } from '@palimpsest/recall';
import type { SessionStore, StoredState } from '../options/session-store.ts';

/**
 * Makes a session store of a key-value storage. It compares before it writes, in two steps: of two writers at the same
 * moment, the second one wins. A storage that writes in place, such as the file driver of unstorage, loses the state if
 * the process is killed while it writes; `fileStore` does not. Without `removeItem`, a short mark replaces a deleted state.
 * @example
 * createSession({ id: 'chat-42', store: keyValueStore(createStorage({ driver })), engine, model });
 */
export function keyValueStore(
  storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> & Partial<KeyValueStorage>,
): SessionStore {
  const load = async (id: string): Promise<StoredState | null> => {
    const value: unknown = await storage.getItem(storeKey(id));
    if (value === null || value === undefined || value === deleted) return null;
    // The file driver of unstorage returns errors.
    if (value instanceof Error) throw value;
    const text = String(value);
    return { text, version: checksum(text) };
  };
  return {
    load,
    async save(id, text, before) {
      const found = await load(id);
      if ((found?.version ?? null) !== before) return null;
      await storage.setItem(storeKey(id), text);
      return checksum(text);
    },
    async delete(id) {
      await (storage.removeItem ? storage.removeItem(storeKey(id)) : storage.setItem(storeKey(id), deleted));
    },
  };
}

/** Stored in place of a deleted state where nothing can be removed. */
const deleted = 'deleted';

const maxNameLength = 120;
const plain = /[a-z0-9_-]/;

/** The key of a session in a key-value storage. Different ids give different keys, also on file systems that ignore case. */
export function storeKey(id: string): string {
  let name = '';
  for (const character of id) name += plain.test(character) ? character : `=${character.codePointAt(0)!.toString(16)}=`;
  const isShort = name.length <= maxNameLength;
  return `palimpsest:session:${isShort ? name : `${name.slice(0, maxNameLength)}=${checksum(id)}=${id.length}`}`;
}
