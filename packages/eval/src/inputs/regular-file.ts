import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * Status of a regular file; `null` for a pipe, socket, device, broken link or deleted file. Opening a pipe could block
 * forever.
 */
export async function regularFile(path: string): Promise<Stats | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found : null;
}
