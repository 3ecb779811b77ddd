// Installs the packed packages in an empty folder and checks them with many versions of TypeScript, and with Node, Bun and
// Deno. Writes the results to docs/compatibility.md. Needs the registry; run by "npm run test:compatibility".
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkRuntimes } from './compatibility/runtimes.mjs';
import { checkTypes, compilers } from './compatibility/types.mjs';
import { packedPackages, publishedPackages, readManifest, root, run } from './pack.mjs';

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-compatibility-'));
const packed = await packedPackages();
const names = await publishedPackages();
const manifests = await Promise.all(names.map((name) => readManifest(join(root, 'packages', name))));
const { catalog } = parse(await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8'));

/** What users install in addition to our packages: their peers, and what the examples of the READMEs import. */
const peers = new Set(manifests.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)));
for (const name of ['@ai-sdk/openai', '@langchain/openai', '@tanstack/ai', '@tanstack/ai-openai', 'unstorage'])
  peers.add(name);

await writeFile(
  join(folder, 'package.json'),
  JSON.stringify({
    name: 'new-user',
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(manifests.map(({ name }) => [name, `file:${packed.get(name).tarball}`])),
      ...Object.fromEntries([...peers].map((name) => [name, catalog[name]])),
    },
    devDependencies: {
      '@types/node': catalog['@types/node'],
      bun: 'latest',
      deno: 'latest',
      ...Object.fromEntries(compilers.map((version) => [`typescript-${version}`, `npm:typescript@~${version}.0`])),
    },
  }),
);
// The programs bun and deno are put in their place by their install scripts. Our own packages have none.
await run('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'], folder);

const entries = manifests.flatMap(({ name, exports }) =>
  Object.keys(exports)
    .filter((path) => path !== './package.json')
    .map((path) => name + path.slice(1)),
);

/** The ranges of peers, and the versions at their ends: see vitest.peers.config.ts. */
const aliases = { '@anthropic-ai/sdk': 'anthropic', '@openai/agents': 'openai-agents' };
const ranges = new Map(manifests.flatMap(({ peerDependencies = {} }) => Object.entries(peerDependencies)));
const sdkRows = [...ranges].sort().map(([name, range]) => {
  const ends = ['oldest', 'newest'].map((end) => catalog[`${aliases[name] ?? name}-${end}`]?.replace(/^.*@/, ''));
  const tested = new Set([ends[0], catalog[name], ends[1]].filter(Boolean));
  return `| ${name} | ${range.replaceAll('||', 'or')} | ${[...tested].join(', ')} |`;
});

const types = await checkTypes(folder, entries);
const runtimes = await checkRuntimes(folder, entries);
await rm(folder, { recursive: true, force: true });

await writeFile(
  join(root, 'docs/compatibility.md'),
  `# Compatibility

<!-- Written by "npm run test:compatibility". -->

Measured with the packed packages, installed in an empty folder.

## TypeScript

All ${entries.length} entry points are imported, with \`strict\` and without \`skipLibCheck\`. Errors in declarations of other packages do not count.

${types.table}

## Runtimes

Every runtime loads all ${entries.length} entry points with \`import\` and with \`require\`, and runs the ${runtimes.examples} examples of the READMEs. For each version of
Node, the packages are installed anew with it.

| runtime | entry points | examples that run | examples that do not |
| --- | --- | --- | --- |
${runtimes.rows}

The packages without Node APIs also run in a browser and in a worker: see the [architecture](../ARCHITECTURE.md).

## SDKs and frameworks

Tests run with the oldest and the newest version of each range. Versions are those of the last run.

| package | range | tested with |
| --- | --- | --- |
${sdkRows.join('\n')}
`,
);
if (!types.isFine || !runtimes.isFine) process.exitCode = 1;
