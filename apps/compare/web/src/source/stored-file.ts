import { del, get, set } from 'idb-keyval';
import type { Given } from '../worker/file-input.ts';

const key = 'palimpsest: the opened file';

/** Stores the file that is shown, so that the page shows it again after a reload. It stays in this browser. Returns whether it could be stored. */
export function storeFile(given: Given): Promise<boolean> {
  return set(key, given).then(
    () => true,
    () => false,
  );
}

/** Reads the stored file. Returns `null` if there is none, or if the browser cannot store files. */
export async function storedFile(): Promise<Given | null> {
  return (await get<Given>(key).catch(() => undefined)) ?? null;
}

/** Removes the stored file, if any. */
export function forgetFile(): Promise<void> {
  return del(key).catch(() => {});
}
