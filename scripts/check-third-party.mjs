// The engine of examples/third-party-engine as a stranger has it: packed, installed from tarballs in a project of its own
// outside of this repository, tested there with the published testkit, and chosen through `context.engine` by package
// name, by path and by folder.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = new URL('..', import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'palimpsest-third-party-'));
const example = join(root, 'examples/third-party-engine');
const engine = 'palimpsest-engine-forgetful';

const manifestOf = async (directory) => JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));

/** What the project needs, and what that needs in turn. */
const needed = new Set(['testkit', 'registry']);
for (const name of needed) {
  const { dependencies = {} } = await manifestOf(join(root, 'packages', name));
  for (const dependency of Object.keys(dependencies))
    if (dependency.startsWith('@palimpsest/')) needed.add(dependency.slice('@palimpsest/'.length));
}
const packed = {};
for (const directory of [...[...needed].map((name) => join(root, 'packages', name)), example]) {
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', folder], { cwd: directory });
  packed[(await manifestOf(directory)).name] = `file:${JSON.parse(stdout).filename}`;
}
const project = join(folder, 'project');
await mkdir(join(project, 'plugins/context-engine/forgotten'), { recursive: true });
await writeFile(
  join(project, 'package.json'),
  JSON.stringify({
    name: 'stranger',
    private: true,
    type: 'module',
    dependencies: packed,
    pnpm: { overrides: packed },
  }),
);
await run('pnpm', ['install', '--prefer-offline', '--ignore-scripts', '--config.node-linker=hoisted'], {
  cwd: project,
});

// The contract, where the package's own developers would run it.
await cp(join(example, 'test'), join(project, 'node_modules', engine, 'test'), { recursive: true });
const { stdout: tested } = await run('node', ['--test', '--test-reporter=tap'], {
  cwd: join(project, 'node_modules', engine),
});
const cases = Number(/^# pass (\d+)$/m.exec(tested)?.[1]);
if (!(cases >= 17) || !/^# fail 0$/m.test(tested)) throw new Error(`the contract was not kept:\n${tested}`);

// By path and by folder: the same source, without a package around it.
await cp(join(example, 'src/index.js'), join(project, 'engines/forgetful.js'));
await cp(join(example, 'src/index.js'), join(project, 'plugins/context-engine/forgotten/index.js'));
await writeFile(
  join(project, 'use.js'),
  `import { createEngineHost, createRegistry } from '@palimpsest/registry';
import { loadConfig, nodeResolver } from '@palimpsest/registry/config';
const history = [{ role: 'user', content: 'Read it.' }];
for (let at = 0; at < 9; at++) history.push(
  { role: 'assistant', content: null, tool_calls: [{ id: 'c' + at, type: 'function', function: { name: 'read', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'c' + at, content: 'line of text\\n'.repeat(200) },
);
history.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Thanks.' });
const { context } = await loadConfig({ cwd: process.cwd() });
const registry = createRegistry({ fallback: false, resolve: nodeResolver({ directory: process.cwd() }) });
const engine = await registry.create(context, createEngineHost());
engine.updateModel({ id: 'gpt-5', contextLength: 8_000 });
const { outcome, messages } = await engine.compress(history);
console.log([engine.name, outcome, messages.length === history.length].join(' '));
`,
);
for (const reference of [engine, './engines/forgetful.js', 'forgotten']) {
  await writeFile(join(project, 'palimpsest.config.yaml'), `context:\n  engine: ${reference}\n`);
  const { stdout } = await run('node', ['use.js'], { cwd: project });
  if (stdout !== 'forgetful compressed true\n') throw new Error(`context.engine: ${reference} gave ${stdout}`);
}
await rm(folder, { recursive: true, force: true });
console.log(`${engine}: ${cases} cases of the contract; chosen by package name, by path and by folder`);
