// Installs the packed packages in an empty folder and checks them with many versions of TypeScript, and with Node, Bun and
// Deno. Writes the results to docs/compatibility.md. Needs the registry; run by "npm run test:compatibility".
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x } from 'tinyexec';
import { parse } from 'yaml';
import { packedPackages, publishedPackages, readManifest, root, run } from './pack.mjs';

const compilers = ['5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0'];
/** TypeScript 7 has no `node10`. */
const resolutions = [
  { name: 'node10', module: 'commonjs', moduleResolution: 'node10', until: 6 },
  { name: 'node16', module: 'node16', moduleResolution: 'node16' },
  { name: 'nodenext', module: 'nodenext', moduleResolution: 'nodenext' },
  { name: 'bundler', module: 'esnext', moduleResolution: 'bundler' },
];

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-compatibility-'));
const write = (file, text) => writeFile(join(folder, file), text);
const packed = await packedPackages();
const names = await publishedPackages();
const manifests = await Promise.all(names.map((name) => readManifest(join(root, 'packages', name))));
const { catalog } = parse(await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8'));

/** What users install beside our packages: their peers, and what the examples of the READMEs import. */
const peers = new Set(manifests.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)));
for (const name of ['@ai-sdk/openai', '@langchain/openai', '@tanstack/ai', '@tanstack/ai-openai', 'unstorage'])
  peers.add(name);

await write(
  'package.json',
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
await write('all.ts', entries.map((entry, at) => `export * as entry${at} from '${entry}';`).join('\n'));

/** The ranges of peers, and the versions at their ends: see vitest.peers.config.ts. */
const aliases = { '@anthropic-ai/sdk': 'anthropic', '@openai/agents': 'openai-agents' };
const ranges = new Map(manifests.flatMap(({ peerDependencies = {} }) => Object.entries(peerDependencies)));
const sdkRows = [...ranges].sort().map(([name, range]) => {
  const ends = ['oldest', 'newest'].map((end) => catalog[`${aliases[name] ?? name}-${end}`]?.replace(/^.*@/, ''));
  const tested = new Set([ends[0], catalog[name], ends[1]].filter(Boolean));
  return `| ${name} | ${range.replaceAll('||', 'or')} | ${[...tested].join(', ')} |`;
});

// Checks our declarations only: those of the SDKs take minutes. TypeScript 7 is fast, and has no such interface.
await write(
  'check.cjs',
  `const ts = require(process.argv[2]);
const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile('tsconfig.json', ts.sys.readFile).config, ts.sys, '.');
const program = ts.createProgram(fileNames, options);
const ours = program.getSourceFiles().filter(({ fileName }) => /all\\.ts$|node_modules\\/@?palimpsest\\//.test(fileName));
const found = ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: ts.sys.getCurrentDirectory, getNewLine: () => '\\n' };
if (ours.length < 50) console.log('error: the declarations were not found');
console.log(ts.formatDiagnostics([...program.getOptionsDiagnostics(), ...found], host));
`,
);

const types = [];
for (const version of compilers) {
  const installed = await readManifest(join(folder, `node_modules/typescript-${version}`));
  for (const { name, module, moduleResolution, until } of resolutions) {
    if (until && Number.parseInt(version, 10) > until) continue;
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      module,
      moduleResolution,
      // A deprecation is not an error of ours.
      ...(name === 'node10' && version.startsWith('6') && { ignoreDeprecations: '6.0' }),
    };
    await write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['all.ts'] }));
    const check = version.startsWith('7')
      ? [`node_modules/typescript-${version}/bin/tsc`]
      : ['check.cjs', `typescript-${version}`];
    const { stdout } = await x('node', check, { nodeOptions: { cwd: folder } });
    const errors = stdout
      .split('\n')
      .filter((line) => /^(?:all\.ts|tsconfig|error|(?:\.\.\/)*node_modules\/@?palimpsest)/.test(line));
    types.push({ compiler: installed.version, resolution: name, errors });
    console.log(
      `TypeScript ${installed.version}, ${name}: ${errors.length === 0 ? 'works' : errors.slice(0, 5).join('\n')}`,
    );
  }
}

const runtimes = [];
const examples = (await readdir(join(root, 'test/.readme-examples'))).filter((file) => !file.startsWith('docs-'));
for (const file of examples) await write(file, await readFile(join(root, 'test/.readme-examples', file), 'utf8'));
for (const [name, command] of [
  ['Bun', ['bun', 'run']],
  ['Deno', ['deno', 'run', '--allow-all', '--no-check', '--node-modules-dir=manual']],
]) {
  const [program, ...options] = command;
  const path = join(folder, 'node_modules/.bin', program);
  const version = /\d+\.\d+\.\d+/.exec(await run(path, ['--version'], folder))[0];
  const failed = [];
  for (const file of examples) {
    const { exitCode, stderr } = await x(path, [...options, file], { timeout: 60_000, nodeOptions: { cwd: folder } });
    if (exitCode !== 0) failed.push({ file, reason: stderr.trim().slice(0, 400) });
  }
  runtimes.push({ name, version, failed });
  console.log(`${name} ${version}: ${examples.length - failed.length} of ${examples.length} examples run`);
  for (const { file, reason } of failed) console.log(`  ${file}: ${reason}`);
}
await rm(folder, { recursive: true, force: true });

const versions = [...new Set(types.map(({ compiler }) => compiler))];
const cell = (compiler, resolution) => {
  const tried = types.find((one) => one.compiler === compiler && one.resolution === resolution);
  return tried ? (tried.errors.length === 0 ? 'yes' : `${tried.errors.length} errors`) : 'not in this version';
};
await writeFile(
  join(root, 'docs/compatibility.md'),
  `# Compatibility

<!-- Written by "npm run test:compatibility". -->

Measured with the packed packages, installed in an empty folder.

## TypeScript

All ${entries.length} entry points are imported, with \`strict\` and without \`skipLibCheck\`. Errors in declarations of other packages do not count.

| version | ${resolutions.map(({ name }) => `\`${name}\``).join(' | ')} |
| --- | ${resolutions.map(() => '---').join(' | ')} |
${versions.map((version) => `| ${version} | ${resolutions.map(({ name }) => cell(version, name)).join(' | ')} |`).join('\n')}

## Runtimes

CI runs all tests on Node 20, 22 and 24. The others run the ${examples.length} examples of the READMEs:

| runtime | examples that run | examples that do not |
| --- | --- | --- |
${runtimes.map(({ name, version, failed }) => `| ${name} ${version} | ${examples.length - failed.length} | ${failed.map(({ file }) => file.replace(/-\d+\.ts$/, '')).join(', ') || 'none'} |`).join('\n')}

The packages without Node APIs also run in a browser and in a worker: see the [architecture](../ARCHITECTURE.md).

## SDKs and frameworks

Tests run with the oldest and the newest version of each range. Versions are those of the last run.

| package | range | tested with |
| --- | --- | --- |
${sdkRows.join('\n')}
`,
);
if (types.some(({ errors }) => errors.length > 0)) process.exitCode = 1;
