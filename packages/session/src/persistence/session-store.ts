/**
 * What a session needs of a store; every storage of `unstorage` has it, whatever its driver. Values are texts. Nothing
 * is expected of a write but that it happens or fails: a torn one is recognised and the older state used.
 */
export interface SessionStore {
  /** The value, as text or as what a driver made of it; `null` when there is none. */
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
  removeItem?(key: string): unknown;
}

const longestName = 120;
const plain = /[a-z0-9_-]/;

/** A key for a session that every driver keeps apart from every other: file systems that fold case included. */
export function storeKey(sessionId: string, fingerprintOf: (text: string) => string): string {
  let name = '';
  for (const character of sessionId)
    name += plain.test(character) ? character : `=${character.codePointAt(0)!.toString(16)}=`;
  const short =
    name.length <= longestName ? name : `${name.slice(0, longestName)}=${fingerprintOf(sessionId)}=${sessionId.length}`;
  return `palimpsest:session:${short}`;
}
