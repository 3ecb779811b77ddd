import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeResolver } from '../src/config.ts';
import { createEngineHost, createRegistry } from '../src/index.ts';
import { createProject, engineSource, type Project } from './project.ts';

let project: Project;
let outside: Project;

beforeAll(async () => {
  outside = await createProject({ 'engine.mjs': engineSource('outsider') });
  const manifest = (name: string, more: object) => JSON.stringify({ name, version: '1.0.0', ...more });
  project = await createProject({
    'node_modules/@acme/esm-engine/package.json': manifest('@acme/esm-engine', {
      type: 'module',
      exports: { '.': { import: './engine.js' }, './strict': { import: './strict.js' } },
    }),
    'node_modules/@acme/esm-engine/engine.js': engineSource('esm-engine'),
    'node_modules/@acme/esm-engine/strict.js': engineSource('strict-engine'),
    'node_modules/cjs-engine/package.json': manifest('cjs-engine', { main: 'engine.cjs' }),
    'node_modules/cjs-engine/engine.cjs': `Object.defineProperty(exports, '__esModule', { value: true });\n${engineSource('cjs-engine', 'exports.default =')}`,
    'node_modules/plain-cjs-engine/package.json': manifest('plain-cjs-engine', {}),
    'node_modules/plain-cjs-engine/index.js': engineSource('plain-cjs-engine', 'module.exports ='),
    'node_modules/@palimpsest/house/package.json': manifest('@palimpsest/house', { type: 'module', exports: './i.js' }),
    'node_modules/@palimpsest/house/i.js': engineSource('house'),
    'node_modules/house/package.json': manifest('house', { main: './i.js' }),
    'node_modules/house/i.js': engineSource('not-this-house', 'module.exports ='),
    'node_modules/unbuilt/package.json': manifest('unbuilt', { exports: './dist/index.js' }),
    'node_modules/broken/package.json': manifest('broken', { type: 'module', exports: './index.js' }),
    'node_modules/broken/index.js': `import 'not-installed-either';`,
    'engines/typed.ts': `const name: string = 'typed';\ninterface Unused { readonly a: number }\n${engineSource('typed').replace("'typed'", 'name as string')}`,
    'engines/folder/package.json': manifest('folder', { main: 'lib/main.mjs' }),
    'engines/folder/lib/main.mjs': engineSource('in-a-folder'),
    'engines/only-exports/package.json': manifest('only-exports', {
      exports: { '.': { types: './none.d.ts', import: { types: './none.d.ts', default: './lib/main.mjs' } } },
    }),
    'engines/only-exports/lib/main.mjs': engineSource('exported'),
    'plugins/context-engine/unnamed/package.json': JSON.stringify({ exports: { require: './main.cjs' } }),
    'plugins/context-engine/unnamed/main.cjs': engineSource('unnamed', 'module.exports ='),
    'engines/escaping/package.json': manifest('escaping', { main: '../../../elsewhere.mjs' }),
    'engines/syntax.mjs': 'export default {',
    'engines/throws.mjs': `throw new Error('the licence has expired');`,
    'plugins/context-engine/local/index.ts': engineSource('local'),
    'plain.mjs': engineSource('plain'),
  });
  await symlink(join(outside.directory, 'engine.mjs'), join(project.directory, 'engines/link.mjs'));
  await symlink(join(project.directory, 'plain.mjs'), join(project.directory, 'engines/inner-link.mjs'));
});
afterAll(() => Promise.all([project.remove(), outside.remove()]));

async function nameOf(engine: string, allowOutside = false): Promise<string> {
  const resolve = nodeResolver({ directory: project.directory, allowOutside });
  const registry = createRegistry({ builtIns: [], resolve });
  return (await registry.create({ engine }, createEngineHost())).name;
}

async function refusal(engine: string): Promise<string> {
  return nameOf(engine).then(
    (name) => `found ${name}`,
    ({ code, message }: { code: string; message: string }) =>
      `${code}\n${message.replaceAll(project.directory, '<project>').replaceAll(outside.directory, '<outside>')}`,
  );
}

describe('the resolver for Node', () => {
  it.each([
    ['@acme/esm-engine', 'esm-engine'],
    ['@acme/esm-engine/strict', 'strict-engine'],
    ['cjs-engine', 'cjs-engine'],
    ['plain-cjs-engine', 'plain-cjs-engine'],
    ['house', 'house'],
    ['./engines/typed.ts', 'typed'],
    ['engines/typed.ts', 'typed'],
    ['./engines/folder', 'in-a-folder'],
    ['./engines/only-exports', 'exported'],
    ['unnamed', 'unnamed'],
    ['./plain.mjs', 'plain'],
    ['plain.mjs', 'plain'],
    ['./engines/inner-link.mjs', 'plain'],
    ['local', 'local'],
  ])('finds "%s"', async (engine, name) => {
    expect(await nameOf(engine)).toBe(name);
  });

  it('accepts an absolute path and a file URL inside the project', async () => {
    expect(await nameOf(join(project.directory, 'plain.mjs'))).toBe('plain');
    expect(await nameOf(`file://${project.directory}/plain.mjs`)).toBe('plain');
  });

  it('finds nothing for Node modules, URLs and names that contain ".."', async () => {
    for (const name of ['fs', 'node:fs', 'data:text/javascript,export default 1', 'cjs-engine/../house'])
      expect(await refusal(name)).toMatch(/^ENGINE_UNKNOWN/);
  });

  it.each([
    ['../engine.mjs'],
    ['./engines/../../engine.mjs'],
    ['engines/../../engine.mjs'],
    ['/etc/hostname'],
    ['file:///etc/hostname'],
    ['./engines/link.mjs'],
  ])('rejects "%s", which is outside the project', async (path) => {
    expect(await refusal(path)).toBe(
      `PATH_REFUSED\nThe path "${path}" is outside the project (<project>). A configuration can load only files inside the project. To allow other paths, pass allowOutside: true to nodeResolver().`,
    );
  });

  it('rejects a folder whose main file is outside the project', async () => {
    await outside.write({ 'x.mjs': '' });
    expect(await refusal('./engines/escaping')).not.toMatch(/^found/);
  });

  it('loads from outside the project if the program allows it', async () => {
    expect(await nameOf(join(outside.directory, 'engine.mjs'), true)).toBe('outsider');
    expect(await nameOf('./engines/link.mjs', true)).toBe('outsider');
  });

  it("reports a syntax error in a module with the parser's message", async () => {
    expect(await refusal('./engines/syntax.mjs')).toMatch(
      /^ENGINE_INVALID\nThe engine module "\.\/engines\/syntax\.mjs" was found but cannot be loaded: ./,
    );
  });

  it('reports the problem of the module it found', async () => {
    const names = ['unbuilt', 'broken', './engines/throws.mjs', '@acme/missing', './missing.mjs'];
    const messages = await Promise.all(names.map(refusal));
    expect(messages.join('\n\n')).toMatchInlineSnapshot(`
      "ENGINE_INVALID
      The package "unbuilt" is installed, but it has no entry point that can be imported: Cannot find module '<project>/node_modules/unbuilt/dist/index.js'. Reinstall it, or build it if it is yours.

      ENGINE_INVALID
      The engine module "broken" was found but cannot be loaded: Cannot find package 'not-installed-either' imported from <project>/node_modules/broken/index.js

      ENGINE_INVALID
      The engine module "./engines/throws.mjs" was found but cannot be loaded: the licence has expired

      DEPENDENCY_MISSING
      The package "@acme/missing", named by context.engine, is not installed. If the name is right and you trust its publisher, add it to the project's dependencies.

      ENGINE_UNKNOWN
      There is no engine module at the path "./missing.mjs". Paths are relative to the project; a folder needs a package.json with "exports" or "main", or an index file."
    `);
  });
});
