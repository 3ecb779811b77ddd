import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { it } from 'vitest';
import { type AdapterDriver, testAdapter } from '../adapter-suite/index.ts';

/** Imports an entry of a package that is installed outside the workspace. */
// biome-ignore lint/suspicious/noExplicitAny: its types are not installed here
export type Load = (entry: string) => Promise<any>;

/** A folder outside the workspace with the framework of a recipe. */
export interface InstalledRecipe {
  readonly folder: string;
  readonly load: Load;
}

/**
 * Finds a framework that is too large for the workspace, or needs a newer Node. `npm run test:agents` installs it, and names
 * its folder in a variable.
 * @param packageName the package that has to be in the folder
 * @returns `null` if it is not there
 */
export function installedRecipe(packageName: string): InstalledRecipe | null {
  const folder = process.env.PALIMPSEST_RECIPES;
  if (!folder || !existsSync(`${folder}/node_modules/${packageName}/package.json`)) return null;
  const { resolve } = createRequire(`${folder}/package.json`);
  return { folder, load: (entry) => import(pathToFileURL(resolve(entry)).href) };
}

/** Tests a recipe for a framework that may not be installed. Without it, the tests are skipped. */
export async function testRecipe(
  name: string,
  packageName: string,
  driver: (load: Load) => Promise<AdapterDriver>,
): Promise<void> {
  const recipe = installedRecipe(packageName);
  if (recipe) testAdapter(await driver(recipe.load));
  else it.skip(`the recipe for ${name}: PALIMPSEST_RECIPES names no folder with ${packageName}`);
}
