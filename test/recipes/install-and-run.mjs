// Tests the recipes for frameworks that are too large for the workspace, or need a newer Node. They are installed in a cache
// folder outside the workspace, on first use.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const frameworks = {
  genkit: ['genkit@1.42.0', '@genkit-ai/compat-oai@1.42.0'],
  strands: ['@strands-agents/sdk@1.19.0', 'openai@6.49.0'],
};

for (const [name, packages] of Object.entries(frameworks)) {
  const folder = `${root}node_modules/.cache/palimpsest-recipes/${name}`;
  if (!existsSync(`${folder}/package-lock.json`)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/package.json`, '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'node@22', ...packages], {
      cwd: folder,
      stdio: 'inherit',
    });
    // npm may leave out the script that puts the program in its place.
    execFileSync('npm', ['rebuild', '--foreground-scripts', 'node'], { cwd: folder, stdio: 'inherit' });
  }
  execFileSync(
    `${folder}/node_modules/node/bin/node`,
    ['node_modules/vitest/vitest.mjs', 'run', `test/recipes/${name}.test.ts`, '--maxWorkers=1'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PALIMPSEST_RECIPES: folder } },
  );
}
