// Uses the engine of examples/third-party-engine as somebody outside of this repository would: packs it, installs it from
// tarballs in a project of its own, tests it there with the published testkit, and selects it through `context.engine`
// by package name, by path and by folder.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packedPackages, root, run, withDependencies } from './pack.mjs';

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-third-party-'));
const example = join(root, 'examples/third-party-engine');
const engine = 'palimpsest-engine-forgetful';

const needed = await withDependencies(['testkit', 'registry']);
const packages = await packedPackages();
const packed = Object.fromEntries(
  [...needed.map((name) => `@palimpsest/${name}`), engine].map((name) => [name, `file:${packages.get(name).tarball}`]),
);
const project = join(folder, 'project');
await mkdir(join(project, 'plugins/context-engine/forgotten'), { recursive: true });
await writeFile(
  join(project, 'package.json'),
  JSON.stringify({
    name: 'third-party-project',
    private: true,
    type: 'module',
    dependencies: packed,
    pnpm: { overrides: packed },
  }),
);
await run('pnpm', ['install', '--prefer-offline', '--ignore-scripts', '--config.node-linker=hoisted'], project);

// The conformance tests, run in the installed package.
await cp(join(example, 'test'), join(project, 'node_modules', engine, 'test'), { recursive: true });
const tested = await run('node', ['--test', '--test-reporter=tap'], join(project, 'node_modules', engine));
const cases = Number(/^# pass (\d+)$/m.exec(tested)?.[1]);
if (!(cases >= 17) || !/^# fail 0$/m.test(tested)) throw new Error(`the engine breaks the contract:\n${tested}`);

// By path and by folder: the same source without a package.
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
await engine.updateModel({ id: 'gpt-5', contextLength: 8_000 });
const { outcome, messages } = await engine.compress(history);
console.log([engine.name, outcome, messages.length === history.length].join(' '));
`,
);
for (const reference of [engine, './engines/forgetful.js', 'forgotten']) {
  await writeFile(join(project, 'palimpsest.config.yaml'), `context:\n  engine: ${reference}\n`);
  const stdout = await run('node', ['use.js'], project);
  if (stdout !== 'forgetful compacted true\n')
    throw new Error(`with context.engine: ${reference} the project printed ${stdout}`);
}
await rm(folder, { recursive: true, force: true });
console.log(`${engine}: ${cases} contract tests passed; selected by package name, by path and by folder`);
