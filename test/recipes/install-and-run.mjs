// Compiles and tests the recipes for frameworks that are too large for the workspace, or need a newer Node. They are installed in
// a cache folder outside the workspace, on first use. With names of recipes as arguments, only these run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const aiSdk = ['ai@6.0.326', '@ai-sdk/openai@3.0.141', 'zod@4.6.7'];
/** By the name of the test: the heading in docs/recipes.md, and the packages. */
const frameworks = {
  genkit: { heading: 'Genkit', packages: ['genkit@1.42.0', '@genkit-ai/compat-oai@1.42.0'] },
  strands: { heading: 'Strands', packages: ['@strands-agents/sdk@1.19.0', 'openai@6.49.0'] },
  voltagent: { heading: 'VoltAgent', packages: ['@voltagent/core@2.10.0', '@voltagent/logger@2.0.2', ...aiSdk] },
  'cloudflare-agents': {
    heading: 'Cloudflare Agents',
    packages: ['agents@0.32.0', 'miniflare@4.20260730.0', '@cloudflare/workers-types@4', ...aiSdk],
  },
};
const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: 'nodenext',
  target: 'es2023',
};

const cache = `${root}node_modules/.cache/palimpsest-recipes`;
linkOwnPackages();
const given = process.argv.slice(2);
for (const [name, { heading, packages }] of Object.entries(frameworks)) {
  if (given.length > 0 && !given.includes(name)) continue;
  const folder = `${cache}/${name}`;
  install(folder, packages);
  compile(folder, heading, name === 'cloudflare-agents' ? ['@cloudflare/workers-types'] : ['node']);
  execFileSync(
    `${folder}/node_modules/node/bin/node`,
    ['node_modules/vitest/vitest.mjs', 'run', `test/recipes/${name}.test.ts`, '--maxWorkers=1'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PALIMPSEST_RECIPES: folder } },
  );
}

function install(folder, packages) {
  const wanted = JSON.stringify(packages);
  const stamp = `${folder}/installed.json`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }');
  const run = (...arguments_) => execFileSync('npm', arguments_, { cwd: folder, stdio: 'inherit' });
  run('install', '--no-audit', '--no-fund', 'node@22', '@types/node@22', ...packages);
  // npm may leave out the script that puts the program in its place.
  run('rebuild', '--foreground-scripts', 'node');
  writeFileSync(stamp, wanted);
}

/** Builds our packages, and lets the examples find them. Not in the folder of a recipe, where npm would remove them. */
function linkOwnPackages() {
  execFileSync('npx', ['turbo', 'run', 'build', '--filter=./packages/*', '--output-logs=errors-only'], {
    cwd: root,
    stdio: 'inherit',
  });
  const link = `${cache}/node_modules/@palimpsest`;
  mkdirSync(`${cache}/node_modules`, { recursive: true });
  if (!existsSync(link)) symlinkSync(`${root}test/node_modules/@palimpsest`, link);
}

/** Checks the types of the examples under a heading of docs/recipes.md. */
function compile(folder, heading, types) {
  const [, section] = readFileSync(`${root}docs/recipes.md`, 'utf8').split(
    new RegExp(`^## ${heading}$(.*?)^## `, 'ms'),
  );
  const files = [...section.matchAll(/^```ts no-run\n(.*?)^```$/gms)].map(([, code], at) => {
    writeFileSync(`${folder}/recipe-${at + 1}.ts`, code);
    return `recipe-${at + 1}.ts`;
  });
  if (files.length === 0) throw new Error(`docs/recipes.md has no example under "${heading}"`);
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: { ...compilerOptions, types }, files }));
  const compiler = `${root}node_modules/typescript-newest/bin/tsc`;
  execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
  console.log(`compiled ${files.length} of ${heading}`);
}
