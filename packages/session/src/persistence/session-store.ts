/**
 * The store of a session, such as an `unstorage` storage with any driver. Its methods may be asynchronous. Writes need
 * not be atomic: a partial write is detected, and the previous state is used.
 */
export interface SessionStore {
  /** Returns the stored string, or `null`. */
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
  removeItem?(key: string): unknown;
}

const longestName = 120;
const plain = /[a-z0-9_-]/;

/** The store key of a session. Different ids give different keys, also on file systems that ignore case. */
export function storeKey(sessionId: string, fingerprintOf: (text: string) => string): string {
  let name = '';
  for (const character of sessionId)
    name += plain.test(character) ? character : `=${character.codePointAt(0)!.toString(16)}=`;
  const short =
    name.length <= longestName ? name : `${name.slice(0, longestName)}=${fingerprintOf(sessionId)}=${sessionId.length}`;
  return `palimpsest:session:${short}`;
}
