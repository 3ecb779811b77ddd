import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}test/.readme-examples`;
// `npm run check:types:tests` checks their types.
execFileSync(process.execPath, [`${root}scripts/readme-examples.mjs`]);

describe('the examples of the READMEs', () => {
  it.each(readdirSync(folder))('run: %s', async (file) => {
    await import(/* @vite-ignore */ `${folder}/${file}`);
  });

  it('exist for every package', () => {
    const packages = readdirSync(`${root}packages`);
    expect(packages.filter((name) => !existsSync(`${root}packages/${name}/README.md`))).toEqual([]);
  });
});
