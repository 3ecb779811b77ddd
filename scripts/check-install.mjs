// Installs the pruner and the redactor from tarballs in an empty folder, and uses them as a new user would: with `import`,
// with `require`, and with types under both module resolutions. Nothing but our own packages may be installed.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x } from 'tinyexec';
import { packedPackages, root, run, withDependencies } from './pack.mjs';

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-install-'));
const names = await withDependencies(['pruner', 'redactor']);

const packed = await packedPackages();
const dependencies = Object.fromEntries(
  names.map((name) => [`@palimpsest/${name}`, `file:${packed.get(`@palimpsest/${name}`).tarball}`]),
);
const write = (file, text) => writeFile(join(folder, file), text);
await write('package.json', JSON.stringify({ name: 'new-user', private: true, type: 'module', dependencies }));
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], folder);

const installed = [];
for (const entry of await readdir(join(folder, 'node_modules'))) {
  if (entry.startsWith('.')) continue;
  if (entry.startsWith('@'))
    for (const sub of await readdir(join(folder, 'node_modules', entry))) installed.push(`${entry}/${sub}`);
  else installed.push(entry);
}
const expected = names.map((name) => `@palimpsest/${name}`).sort();
if (installed.sort().join() !== expected.join())
  throw new Error(`installed ${installed.join(', ')} instead of ${expected.join(', ')}`);

const history = `[
  { role: 'user', content: 'run the tests' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"npm test"}' } }] },
  { role: 'tool', tool_call_id: 'a', content: 'ok line\\n'.repeat(400) },
  { role: 'assistant', content: 'All tests pass.' },
  { role: 'user', content: 'thanks' },
]`;
const use = `
const history = ${history};
const { messages, report } = prune(history, { protect: { tokens: 0 }, keepTurns: 0, minimum: 0 });
if (!(report.reclaimedTokens > 100)) throw new Error('no tokens were reclaimed');
if (String(messages[2].content).length > 200) throw new Error('the result was not replaced by a stub');
if (!(createTokenCounter().countText('hello world') > 0)) throw new Error('no tokens were counted');
`;
await write(
  'use.mjs',
  `import { prune } from '@palimpsest/pruner';\nimport { createTokenCounter } from '@palimpsest/tokens';\n${use}`,
);
await write(
  'use.cjs',
  `const { prune } = require('@palimpsest/pruner');\nconst { createTokenCounter } = require('@palimpsest/tokens');\n${use}`,
);
await run('node', ['use.mjs'], folder);
await run('node', ['use.cjs'], folder);

// The redactor's command line masks a secret, and `--check` reports one by its exit code.
await write('session.log', `first\nexport DB_PASSWORD=${['hunter2', 'x9'].join('!')}\n`);
const redactor = (...options) =>
  x('npx', ['--no-install', 'palimpsest-redactor', ...options, 'session.log'], { nodeOptions: { cwd: folder } });
if ((await redactor()).stdout !== 'first\nexport DB_PASSWORD=***\n') throw new Error('the redactor masked nothing');
const checked = await redactor('--check');
if (checked.exitCode !== 1 || checked.stdout !== 'session.log:2:20: assignment\n')
  throw new Error(`--check found nothing: exit code ${checked.exitCode}, ${checked.stdout}`);

await write(
  'use.ts',
  `import { prune, type PrunePolicy } from '@palimpsest/pruner';
import type { Message } from '@palimpsest/core';
const policy: PrunePolicy = { minimum: 0 };
const history: Message[] = [{ role: 'user', content: 'hi' }];
export const kept: readonly { readonly role: string }[] = prune(history, policy).messages;
// @ts-expect-error a policy is an object
prune(history, 'all');
`,
);
for (const [module, moduleResolution] of [
  ['node16', 'node16'],
  ['esnext', 'bundler'],
]) {
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', types: [], module, moduleResolution };
  await write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  await run('node', [join(root, 'node_modules/typescript/bin/tsc')], folder);
}
await rm(folder, { recursive: true, force: true });
console.log(`${names.join(', ')} work when installed: import, require and types`);
