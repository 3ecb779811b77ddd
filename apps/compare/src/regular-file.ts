import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * Status of a regular file; `null` for a pipe, a socket, a device, a broken link or a file that was deleted meanwhile.
 * Opening a pipe could wait for a writer forever.
 */
export async function regularFile(path: string): Promise<Stats | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found : null;
}
