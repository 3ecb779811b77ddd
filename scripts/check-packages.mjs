// Checks the tarball of every published package with publint and "Are the types wrong".
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { x } from 'tinyexec';
import { packedPackages, publishedPackages, readManifest, root, run } from './pack.mjs';

const packed = await packedPackages();
const problems = [];

async function check(name) {
  const directory = join(root, 'packages', name);
  const manifest = await readManifest(directory);
  const { tarball, files } = packed.get(manifest.name);
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  for (const message of messages) problems.push(`${name}: publint: ${formatMessage(message, pkg)}`);
  const types = await checkPackage(createPackageFromTarballData(bytes));
  if (!types.types) problems.push(`${name}: has no types`);
  // Subpaths are only in "exports", which the resolution "node10" of TypeScript does not read.
  for (const problem of types.problems || [])
    if (problem.resolutionKind !== 'node10' || problem.entrypoint === '.')
      problems.push(`${name}: wrong types: ${JSON.stringify(problem)}`);
  for (const field of ['description', 'license', 'keywords'])
    if (!manifest[field]) problems.push(`${name}: package.json has no "${field}"`);
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    if (manifest.scripts?.[script]) problems.push(`${name}: runs a script when it is installed: "${script}"`);
  for (const file of files)
    if (!/^(dist\/|package\.json$|openclaw\.plugin\.json$|README\.md$|LICENSE)/.test(file))
      problems.push(`${name}: packs ${file}`);
  if (!files.includes('README.md')) problems.push(`${name}: has no README.md`);
  await checkNotices(name, directory, tarball);
  if (name === 'palimpsest') await checkProgram(directory, tarball);
  if (name === 'eval') await checkEval(directory, tarball);
}

/**
 * The code of other packages must come with their licences. esbuild writes the path of each bundled file into a comment
 * above its code, independently of the plugin that writes the licences.
 */
async function checkNotices(name, directory, tarball) {
  const unpacked = await mkdtemp(join(directory, 'node_modules', '.packed-'));
  await run('tar', ['-xzf', tarball, '-C', unpacked]);
  const dist = join(unpacked, 'package', 'dist');
  const read = async (file) => readFile(join(dist, file), 'utf8');
  const files = (await readdir(dist, { recursive: true })).filter((file) => /\.[cm]?js$/.test(file));
  const bundled = new Set();
  for (const file of files)
    for (const [, other] of (await read(file)).matchAll(
      /^\s*\/\/ \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/(?!\S*node_modules\/)/gm,
    ))
      bundled.add(other);
  const notices = await read('THIRD-PARTY-NOTICES').catch(() => '');
  await rm(unpacked, { recursive: true, force: true });
  for (const other of bundled)
    if (!notices.includes(`\n${other}@`))
      problems.push(`${name}: bundles ${other} without its licence in dist/THIRD-PARTY-NOTICES`);
  if (bundled.size === 0 && notices !== '') problems.push(`${name}: has licences of code that it does not bundle`);
}

/**
 * Runs an agent with the program from its tarball. Its dependencies are those of this repository: npm would fetch them from
 * the registry, as `npm run test:agents` does.
 */
async function checkProgram(directory, tarball) {
  const unpacked = await mkdtemp(join(directory, 'node_modules', '.packed-'));
  await run('tar', ['-xzf', tarball, '-C', unpacked]);
  const agent = [process.execPath, '-e', 'process.exit(process.env.OPENAI_BASE_URL ? 7 : 1)'];
  const { exitCode, stderr } = await x(
    process.execPath,
    [join(unpacked, 'package', 'dist', 'cli.js'), 'run', '--', ...agent],
    { nodeOptions: { cwd: unpacked, env: { HOME: unpacked } } },
  );
  await rm(unpacked, { recursive: true, force: true });
  if (exitCode !== 7 || !stderr.includes('palimpsest: no conversation came through the proxy'))
    problems.push(`palimpsest: run does not work from its tarball: exit code ${exitCode}, ${stderr}`);
}

/** Scores a function with the program from its tarball, on the conversations that are in it. */
async function checkEval(directory, tarball) {
  const unpacked = await mkdtemp(join(directory, 'node_modules', '.packed-'));
  await run('tar', ['-xzf', tarball, '-C', unpacked]);
  await writeFile(join(unpacked, 'newest.mjs'), 'export default (messages) => messages.slice(-20);');
  const quick = ['--no-baselines', '--budgets', '20%', '--cuts', '60%', '--chain', '0', '--no-cost'];
  const { exitCode, stdout, stderr } = await x(
    process.execPath,
    [join(unpacked, 'package', 'dist', 'cli.js'), '--sample', '--module', 'newest.mjs', ...quick],
    { nodeOptions: { cwd: unpacked, env: { HOME: unpacked } } },
  );
  await rm(unpacked, { recursive: true, force: true });
  if (exitCode !== 0 || !/^facts, % +\d/m.test(stdout) || !stdout.includes('4 transcripts, 4 cuts'))
    problems.push(`eval: it does not work from its tarball: exit code ${exitCode}, ${stdout}${stderr}`);
}

const names = await publishedPackages();
for (const name of names) await check(name);
for (const problem of problems) console.error(problem);
console.log(`${names.length} packages checked as packed, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
