import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { it } from 'vitest';
import { type AdapterDriver, testAdapter } from '../adapter-suite/index.ts';

/** Imports an entry of a package that is installed outside the workspace. */
// biome-ignore lint/suspicious/noExplicitAny: its types are not installed here
export type Load = (entry: string) => Promise<any>;

/**
 * Tests a recipe for a framework that is too large for the workspace, or needs a newer Node.
 * `npm run test:agents` installs it, and names its folder in a variable. Without that, the tests are skipped.
 * @param packageName the package that has to be in the folder
 */
export async function testRecipe(
  name: string,
  packageName: string,
  driver: (load: Load) => Promise<AdapterDriver>,
): Promise<void> {
  const folder = process.env.PALIMPSEST_RECIPES;
  if (!folder || !existsSync(`${folder}/node_modules/${packageName}/package.json`)) {
    it.skip(`the recipe for ${name}: PALIMPSEST_RECIPES names no folder with ${packageName}`);
    return;
  }
  const { resolve } = createRequire(`${folder}/package.json`);
  testAdapter(await driver((entry) => import(pathToFileURL(resolve(entry)).href)));
}
