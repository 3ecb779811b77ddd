// Checks every publishable package as its users get it: packed, then read by publint and "are the types wrong".
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const run = promisify(execFile);
const root = new URL('..', import.meta.url).pathname;
const require = createRequire(import.meta.url);
const attw = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js');
const folder = await mkdtemp(join(tmpdir(), 'palimpsest-pack-'));
const problems = [];

async function check(name) {
  const directory = join(root, 'packages', name);
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', folder], { cwd: directory });
  const tarball = JSON.parse(stdout).filename;
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  for (const message of messages) problems.push(`${name}: publint: ${formatMessage(message, pkg)}`);
  await run(process.execPath, [attw, tarball, '--profile', 'strict', '--format', 'ascii', '--no-emoji']).catch(
    (error) => {
      problems.push(`${name}: attw:\n${error.stdout || error.message}`);
    },
  );
  for (const field of ['description', 'license', 'keywords'])
    if (!manifest[field]) problems.push(`${name}: package.json has no "${field}"`);
  const { stdout: list } = await run('tar', ['-tzf', tarball]);
  for (const file of list.trim().split('\n'))
    if (!/^package\/(dist\/|package\.json$|README\.md$|LICENSE)/.test(file)) problems.push(`${name}: packs ${file}`);
  if (!list.includes('package/README.md')) problems.push(`${name}: has no README.md`);
}

const names = [];
for (const name of await readdir(join(root, 'packages'))) {
  const manifest = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'));
  // What is still being built is private, and nobody gets it yet.
  if (!manifest.private) names.push(name);
}
const queue = [...names];
await Promise.all(
  [0, 1].map(async () => {
    for (let name = queue.shift(); name; name = queue.shift()) await check(name);
  }),
);
await rm(folder, { recursive: true, force: true });
for (const problem of problems) console.error(problem);
console.log(`${names.length} packages checked as packed, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
