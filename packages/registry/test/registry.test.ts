import type { ContextEvent } from '@palimpsest/core';
import { apiVersion, defineEngine, type EnginePlugin } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEngineHost, createRegistry, type EngineResolver } from '../src/index.ts';
import { conversation } from './conversation.ts';
import { plugin, trimmer } from './engines.ts';

const compressor: EnginePlugin = defineEngine({
  name: 'compressor',
  apiVersion,
  options: z.strictObject({
    threshold: z.number().min(0.1).max(0.95).default(0.5),
    tail: z.strictObject({ ratio: z.number(), tokens: z.number().int() }).partial().optional(),
    protectTools: z.array(z.string()).optional(),
    apiKey: z.number().optional(),
  }),
  create: () => trimmer(),
});
const builtIns = [compressor, plugin('prune-compact', trimmer)];
const mine = plugin('mine', trimmer);

/** A resolver for a table of modules by `kind specifier`. */
function table(modules: Readonly<Record<string, unknown>>): EngineResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  const resolve: EngineResolver = async ({ kind, specifier }) => {
    asked.push(`${kind} ${specifier}`);
    const exports = modules[`${kind} ${specifier}`];
    return exports === undefined ? null : { source: `${kind} ${specifier}`, exports };
  };
  return Object.assign(resolve, { asked });
}

/** Returns the message of the error a promise rejects with. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'nothing was refused',
    (error: Error & { code?: string }) => `${error.code}\n${error.message}`,
  );
}

const create = (config: unknown, options: Parameters<typeof createRegistry>[0] = {}) =>
  createRegistry({ builtIns, ...options }).create(config as never, createEngineHost());

describe('a registry', () => {
  it('creates the default engine without a configuration', async () => {
    expect((await create(undefined)).name).toBe('compressor');
    expect((await create({})).name).toBe('compressor');
  });

  it('creates working engines', async () => {
    const engine = await create({ engine: 'mine' }, { plugins: [mine] });
    const result = await engine.compress(conversation());
    expect(result.outcome).toBe('compacted');
    expect(result.report.tokensAfter).toBeLessThan(result.report.tokensBefore / 2);
  });

  it('creates an engine by its name', async () => {
    expect((await createRegistry().create('prune-compact', createEngineHost())).name).toBe('prune-compact');
  });

  it('shares no engines with another registry', async () => {
    const first = createRegistry({ builtIns });
    first.register(mine);
    expect(first.list().map(({ name }) => name)).toEqual(['compressor', 'prune-compact', 'mine']);
    expect(
      createRegistry({ builtIns })
        .list()
        .map(({ name }) => name),
    ).toEqual(['compressor', 'prune-compact']);
  });

  it('creates a new engine for every call of create', async () => {
    const registry = createRegistry({ builtIns });
    const [one, other] = await Promise.all([
      registry.create({}, createEngineHost()),
      registry.create({}, createEngineHost()),
    ]);
    one!.updateFromResponse({ promptTokens: 10, completionTokens: 1 });
    expect(other!.state.lastPromptTokens).toBe(0);
  });

  it('passes every event to the listener and the host, even if the listener throws', async () => {
    const heard: ContextEvent[] = [];
    const registry = createRegistry({
      builtIns,
      onEvent: () => {
        throw new Error('the listener is broken');
      },
    });
    const engine = await registry.create({}, createEngineHost({ emit: (event) => heard.push(event) }));
    await engine.compress(conversation());
    expect(heard.map(({ type }) => type)).toEqual(['compaction-start', 'compaction-end']);
  });

  it('rejects register after the first create', async () => {
    const registry = createRegistry({ builtIns });
    await registry.create({}, createEngineHost());
    expect(() => registry.register(mine)).toThrowErrorMatchingInlineSnapshot(
      `[PalimpsestError: register() was called after the first create(): sessions of one registry would know different engines. Register all engines first, or create a new registry.]`,
    );
  });

  it('rejects two engines with the same name, and names both origins', async () => {
    const other = plugin('mine', trimmer);
    expect(() => createRegistry({ builtIns, plugins: [mine, other] })).toThrowErrorMatchingInlineSnapshot(
      `[PalimpsestError: Two engines are named "mine": one is plugins[0], the other is plugins[1]. Rename one of them.]`,
    );
    const registry = createRegistry({
      builtIns,
      resolve: table({ 'path ./engines/mine.ts': { default: plugin('compressor', trimmer) } }),
    });
    expect(await refusal(registry.find('./engines/mine.ts'))).toMatchInlineSnapshot(`
      "ENGINE_DUPLICATE
      Two engines are named "compressor": one is built in, the other is path ./engines/mine.ts. Rename one of them."
    `);
  });

  it('rejects a misspelled option and suggests the right one', () => {
    expect(() => createRegistry({ plugin: [] } as object)).toThrow(/plugin: unknown option\. Did you mean "plugins"/);
  });

  it('accepts the same plugin twice', () => {
    expect(createRegistry({ builtIns, plugins: [compressor, mine, mine] }).list()).toHaveLength(3);
  });
});

describe('context.engine', () => {
  const nested = { default: { default: plugin('lcm', trimmer) } };

  it.each([
    ['mine', ['package @palimpsest/mine', 'package mine', 'folder plugins/context-engine/mine']],
    ['@acme/lcm-engine', ['package @acme/lcm-engine', 'path @acme/lcm-engine']],
    ['acme-engine/strict', ['package acme-engine/strict', 'path acme-engine/strict']],
    ['./engines/mine.ts', ['path ./engines/mine.ts']],
    ['../elsewhere', ['path ../elsewhere']],
    [
      'engine.mjs',
      [
        'package @palimpsest/engine.mjs',
        'package engine.mjs',
        'path engine.mjs',
        'folder plugins/context-engine/engine.mjs',
      ],
    ],
    ['/etc/engine.js', ['path /etc/engine.js']],
    ['file:///tmp/engine.js', ['path file:///tmp/engine.js']],
    ['data:text/javascript,0', []],
    ['node:fs', []],
    ['https://example.com/engine.js', []],
    ['acme/../../secret', ['path acme/../../secret']],
  ])('"%s" is looked for in order', async (engine, expected) => {
    const resolve = table({});
    await refusal(create({ engine }, { resolve }));
    expect(resolve.asked).toEqual(expected);
  });

  it('prefers a registered name to everything else', async () => {
    const resolve = table({ 'package @palimpsest/mine': nested });
    expect((await create({ engine: 'mine' }, { plugins: [mine], resolve })).name).toBe('mine');
    expect(resolve.asked).toEqual([]);
  });

  it.each([
    ['a default export', { default: nested.default.default }],
    ['a default export that a CommonJS build nests', nested],
    ['the module itself', nested.default.default],
  ])('takes %s', async (_name, exports) => {
    const engine = await create({ engine: '@acme/lcm' }, { resolve: table({ 'package @acme/lcm': exports }) });
    expect(engine.name).toBe('lcm');
  });

  it('loads a module once, even for several engines at the same time', async () => {
    const resolve = table({ 'path ./lcm.mjs': nested });
    const registry = createRegistry({ builtIns, resolve });
    const make = () => registry.create({ engine: './lcm.mjs' }, createEngineHost());
    await Promise.all([make(), make()]);
    await make();
    expect(resolve.asked).toEqual(['path ./lcm.mjs']);
  });

  it('searches again for a missing module', async () => {
    const modules: Record<string, unknown> = {};
    const registry = createRegistry({ builtIns, resolve: table(modules) });
    expect(await refusal(registry.find('./lcm.mjs'))).toMatch(/^ENGINE_UNKNOWN/);
    modules['path ./lcm.mjs'] = nested;
    expect((await registry.find('./lcm.mjs')).name).toBe('lcm');
  });

  it('lists loaded engines with their origin', async () => {
    const registry = createRegistry({ builtIns, resolve: table({ 'folder plugins/context-engine/lcm': nested }) });
    await registry.find('lcm');
    expect(registry.list().at(-1)).toEqual({
      name: 'lcm',
      source: 'folder plugins/context-engine/lcm',
      builtIn: false,
    });
  });
});

describe('the error for an engine that cannot be used', () => {
  const resolve = table({
    'path ./empty.mjs': { create: undefined, answer: 42 },
    'path ./nameless.mjs': { default: { apiVersion: 1, create: () => trimmer() } },
    'path ./idle.mjs': { default: { name: 'idle', apiVersion: 1 } },
    'path ./unversioned.mjs': { default: { name: 'mine', create: () => trimmer() } },
    'path ./newer.mjs': { default: { name: 'newer', apiVersion: 2, create: () => trimmer() } },
    'path ./older.mjs': { default: { name: 'older', apiVersion: 0, create: () => trimmer() } },
    'path ./schema.mjs': {
      default: { name: 's', apiVersion: 1, options: { type: 'object' }, create: () => trimmer() },
    },
    'path ./function.mjs': { default: () => trimmer() },
  });
  const message = (engine: string, options: Parameters<typeof createRegistry>[0] = { resolve }) =>
    refusal(create({ engine }, options));

  it('misspelled', async () => {
    expect(await message('compresor')).toMatchInlineSnapshot(`
      "ENGINE_UNKNOWN
      There is no context engine "compresor". Did you mean "compressor"? Known engines: "compressor", "prune-compact". Nothing was found at the package @palimpsest/compresor, the package compresor or plugins/context-engine/compresor either."
    `);
  });
  it('misspelled, without a resolver', async () => {
    expect(await message('Prune_Compact', {})).toMatchInlineSnapshot(`
      "ENGINE_UNKNOWN
      There is no context engine "Prune_Compact". Did you mean "prune-compact"? Known engines: "compressor", "prune-compact". Packages and paths were not searched: pass createRegistry({ resolve: nodeResolver() }), from '@palimpsest/registry/config'."
    `);
  });
  it('unknown', async () => {
    expect(await message('lcm')).toMatchInlineSnapshot(`
      "ENGINE_UNKNOWN
      There is no context engine "lcm". Known engines: "compressor", "prune-compact". Nothing was found at the package @palimpsest/lcm, the package lcm or plugins/context-engine/lcm either."
    `);
  });
  it('a package that is not installed', async () => {
    expect(await message('@acme/lcm-engine')).toMatchInlineSnapshot(`
      "DEPENDENCY_MISSING
      The package "@acme/lcm-engine", named by context.engine, is not installed. If the name is right and you trust its publisher, add it to the project's dependencies."
    `);
  });
  it('no file at the path', async () => {
    expect(await message('./engines/lcm.ts')).toMatchInlineSnapshot(`
      "ENGINE_UNKNOWN
      There is no engine module at the path "./engines/lcm.ts". Paths are relative to the project; a folder needs a package.json with "exports" or "main", or an index file."
    `);
  });
  it('made for another version of the contract', async () => {
    expect(await message('./newer.mjs')).toMatchInlineSnapshot(`
      "ENGINE_INCOMPATIBLE
      Engine "newer" (path ./newer.mjs) was made for version 2 of the engine contract; this registry supports version 1. Update @palimpsest/registry, or install an older version of the engine."
    `);
    expect(await message('./older.mjs')).toMatchInlineSnapshot(`
      "ENGINE_INCOMPATIBLE
      Engine "older" (path ./older.mjs) was made for version 0 of the engine contract; this registry supports version 1. Install a newer version of the engine."
    `);
  });
  it('bad exports', async () => {
    const paths = [
      './empty.mjs',
      './nameless.mjs',
      './idle.mjs',
      './unversioned.mjs',
      './schema.mjs',
      './function.mjs',
    ];
    const messages = await Promise.all(paths.map((path) => message(path)));
    expect(messages.join('\n\n')).toMatchInlineSnapshot(`
      "ENGINE_INVALID
      path ./empty.mjs is not a context engine:
        name: expected letters, digits, ".", "_" and "-"; given: nothing
        apiVersion: expected the contract version that it was made for, currently 1; given: nothing
        create: expected a function; given: nothing

      ENGINE_INVALID
      path ./nameless.mjs is not a context engine:
        name: expected letters, digits, ".", "_" and "-"; given: nothing

      ENGINE_INVALID
      path ./idle.mjs is not a context engine:
        create: expected a function; given: nothing

      ENGINE_INVALID
      path ./unversioned.mjs is not a context engine:
        apiVersion: expected the contract version that it was made for, currently 1; given: nothing

      ENGINE_INVALID
      path ./schema.mjs is not a context engine:
        options: expected a Standard Schema, such as one of optionSchema, zod, valibot or arktype; given: a value of type object

      ENGINE_INVALID
      path ./function.mjs is not a context engine: its default export is not a plugin object. It exports: default. Export the plugin with "export default defineEngine({ name, apiVersion, create })"."
    `);
  });
  it('options of a file, with its name', async () => {
    const config = { engines: { compressor: { thresold: 0.5 } } };
    expect(await refusal(create(config, { configFile: '/project/palimpsest.config.yaml' }))).toMatch(
      /^OPTION_INVALID\nOne option is not valid in \/project\/palimpsest\.config\.yaml:\n {2}context\.engines\.compressor\.thresold: /,
    );
  });
  it('an unknown fallback', async () => {
    expect(await refusal(create({ fallback: 'prune' }))).toMatchInlineSnapshot(`
      "ENGINE_UNKNOWN
      There is no context engine "prune". Did you mean "prune-compact"? Known engines: "compressor", "prune-compact". Packages and paths were not searched: pass createRegistry({ resolve: nodeResolver() }), from '@palimpsest/registry/config'."
    `);
  });
});

describe('options', () => {
  it('are validated and completed by the schema of the engine before it is created', async () => {
    const given: unknown[] = [];
    const spy: EnginePlugin = {
      ...compressor,
      create: (options) => {
        given.push(options);
        return trimmer();
      },
    };
    const of = (engines: unknown) => create({ engines }, { builtIns: [spy] });
    await of({ compressor: { tail: { ratio: 0.2 } } });
    await of(undefined);
    expect(given).toEqual([{ threshold: 0.5, tail: { ratio: 0.2 } }, { threshold: 0.5 }]);
  });

  it('are accepted for several engines, and ignored for engines that are not in use', async () => {
    const engines = { compressor: { threshold: 0.3 }, lcm: { anything: true }, 'prune-compact': {} };
    expect((await create({ engines })).name).toBe('compressor');
  });

  it('can be under the name in context.engine', async () => {
    const resolve = table({ 'package @acme/lcm': { default: { ...compressor, name: 'lcm' } } });
    const engines = { '@acme/lcm': { threshold: 2 } };
    expect(await refusal(create({ engine: '@acme/lcm', engines }, { resolve }))).toMatchInlineSnapshot(`
      "OPTION_INVALID
      One option is not valid:
        context.engines["@acme/lcm"].threshold: Too big: expected number to be <=0.95; given: 2"
    `);
  });

  it('have all problems reported at once, for the engine and its fallback', async () => {
    const config = {
      engine: 'mine',
      engines: {
        compressor: { threshold: 'half', treshold: 0.5, tail: { ration: 0.2 }, protectTools: ['a', 3] },
        mine: { colour: 'red', limit: -1 },
        'prune-compakt': {},
      },
    };
    const strict = { ...mine, options: z.strictObject({ color: z.string().optional(), limit: z.number().positive() }) };
    expect(await refusal(create(config, { plugins: [strict] }))).toMatchInlineSnapshot(`
      "OPTION_INVALID
      7 options are not valid:
        context.engines["prune-compakt"]: unknown engine. Did you mean "prune-compact"?
        context.engines.mine.limit: Too small: expected number to be >0; given: -1
        context.engines.mine.colour: unknown option. Did you mean "color"? Known: color, limit.
        context.engines.compressor.threshold: Invalid input: expected number, received string
        context.engines.compressor.tail.ration: unknown option. Did you mean "ratio"? Known: ratio, tokens.
        context.engines.compressor.protectTools[1]: Invalid input: expected string, received number; given: 3
        context.engines.compressor.treshold: unknown option. Did you mean "threshold"? Known: threshold, tail, protectTools, apiKey."
    `);
  });

  it('are masked in the message if they look like a secret', async () => {
    const apiKey = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;
    const told = await refusal(create({ engines: { compressor: { apiKey } } }));
    expect(told).toContain('context.engines.compressor.apiKey: Invalid input: expected number, received string');
    expect(told).not.toContain('aB3dE5fG7haB3dE5fG7h');
  });

  it('can be validated by an asynchronous schema', async () => {
    const asynchronous = z.strictObject({
      name: z.string().refine(async (name) => name === 'good', 'expected "good"'),
    });
    const slow = { ...mine, options: asynchronous };
    const told = await refusal(create({ engine: 'mine', engines: { mine: { name: 'bad' } } }, { plugins: [slow] }));
    expect(told).toContain('context.engines.mine.name: expected "good"');
  });

  it('are rejected if a section is not an object', async () => {
    const config = { engin: 'x', fallback: true, engines: 'compressor' };
    expect(await refusal(create(config))).toMatchInlineSnapshot(`
      "OPTION_INVALID
      3 options are not valid:
        context.engin: unknown option. Did you mean "engine"? Known: engine, fallback, engines.
        context.fallback: expected the name of an engine, or false; given: true
        context.engines: expected an object with the options of each engine by its name; given: "compressor""
    `);
    expect(await refusal(create(5 as never))).toMatchInlineSnapshot(`
      "OPTION_INVALID
      One option is not valid:
        context: expected an object with options; given: 5"
    `);
    expect(await refusal(create({ engine: '  ' }))).toMatchInlineSnapshot(`
      "OPTION_INVALID
      One option is not valid:
        context.engine: expected the name of an engine; given: a string of 2 characters"
    `);
  });
});
