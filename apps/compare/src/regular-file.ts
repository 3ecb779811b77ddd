import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * What the system says about a file that a walk through a folder found; `null` when it cannot be read to its end. That
 * is a pipe, a socket or a device, a link that leads nowhere, and a file that is gone by now. Opening a pipe would wait
 * for its writer, maybe for ever.
 */
export async function regularFile(path: string): Promise<Stats | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found : null;
}
