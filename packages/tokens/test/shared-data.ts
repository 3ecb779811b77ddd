import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../shared', import.meta.url));

/** Folder of real data next to the repository. If it is `null`, tests that need it are skipped. */
export const sharedData: string | null = existsSync(folder) ? folder : null;
