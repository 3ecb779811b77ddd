// Copies the recorded conversations that are long enough to be scored into the build.
import { cp, mkdir } from 'node:fs/promises';

const names = ['esm-migration', 'palimpsest-first-morning', 'router-library', 'shop-outage-german'];
const from = new URL('../../apps/compare/samples/', import.meta.url);
const to = new URL('dist/samples/', import.meta.url);
await mkdir(to, { recursive: true });
for (const name of names) await cp(new URL(`${name}.json`, from), new URL(`${name}.json`, to));
