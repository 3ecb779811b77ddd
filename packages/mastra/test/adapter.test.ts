import { existsSync } from 'node:fs';
import { it } from 'vitest';
import { testAdapter } from '../../../test/adapter-suite/index.ts';
import { loadMastra, mastraDriver } from './driver.ts';

/** A folder in which `@mastra/core` is installed. It needs Node 22.13, and takes 200 MB. */
const folder = process.env.PALIMPSEST_MASTRA;

if (folder && existsSync(`${folder}/node_modules/@mastra/core`)) testAdapter(mastraDriver(await loadMastra(folder)));
else it.skip('the adapter Mastra: PALIMPSEST_MASTRA names no folder with @mastra/core, which needs Node 22.13');
