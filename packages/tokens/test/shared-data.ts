import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../shared', import.meta.url));

/** Folder of real data beside the repository, `null` where there is none: tests that want it are skipped then. */
export const sharedData: string | null = existsSync(folder) ? folder : null;
