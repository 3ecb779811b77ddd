// Runs the tests of this package with the oldest and the newest version of Mastra that they were made for. Mastra needs
// Node 22.13 and takes 200 MB, so both are installed in a cache folder outside the workspace, on first use.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const versions = ['1.40.0', '1.71.0'];
const root = fileURLToPath(new URL('../../../', import.meta.url));
const cache = `${root}node_modules/.cache/palimpsest-mastra`;

for (const version of versions) {
  const folder = `${cache}/${version}`;
  if (!existsSync(`${folder}/node_modules/@mastra/core/package.json`)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/package.json`, '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `@mastra/core@${version}`, 'node@22'], {
      cwd: folder,
      stdio: 'inherit',
    });
    // npm may leave out the script that puts the program in its place.
    execFileSync('npm', ['rebuild', '--foreground-scripts', 'node'], { cwd: folder, stdio: 'inherit' });
  }
  for (const tests of [['packages/mastra'], ['test/examples.test.ts', '--testNamePattern=mastra-loop']])
    execFileSync(
      `${folder}/node_modules/node/bin/node`,
      ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--maxWorkers=1'],
      { cwd: root, stdio: 'inherit', env: { ...process.env, PALIMPSEST_MASTRA: folder } },
    );
}
