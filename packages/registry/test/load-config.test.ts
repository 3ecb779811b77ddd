import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineConfig, type LoadConfigOptions, loadConfig } from '../src/config.ts';
import { createProject, type Project } from './project.ts';

let project: Project;
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const load = (options: LoadConfigOptions = {}) => loadConfig({ cwd: project.directory, env: {}, ...options });

/** Writes one file and returns the message of its error. */
async function refusal(name: string, text: string, options: LoadConfigOptions = {}): Promise<string> {
  await project.write({ [name]: text });
  return load(options).then(
    (loaded) => `loaded ${JSON.stringify(loaded.context)}`,
    ({ code, message }: { code: string; message: string }) =>
      `${code}\n${message.replaceAll(project.directory, '<project>')}`,
  );
}

const context = { engine: 'prune-compact', fallback: false, engines: { compressor: { threshold: 0.4 } } } as const;

const forms: Readonly<Record<string, string>> = {
  'palimpsest.config.json': JSON.stringify({ $schema: './schema.json', context }),
  'palimpsest.config.yaml':
    'context:\n  engine: prune-compact\n  fallback: false\n  engines:\n    compressor: { threshold: 0.4 }\n',
  'palimpsest.config.yml':
    'context: { engine: prune-compact, fallback: false, engines: { compressor: { threshold: 0.4 } } }',
  'palimpsest.config.mjs': `export default ${JSON.stringify({ context })};`,
  'palimpsest.config.cjs': `module.exports = ${JSON.stringify({ context })};`,
  'palimpsest.config.js': `module.exports = ${JSON.stringify({ context })};`,
  'palimpsest.config.ts': `interface Config { readonly context: unknown }\nconst config: Config = ${JSON.stringify({ context })};\nexport default config;`,
  'palimpsest.config.mts': `export default ${JSON.stringify({ context })} satisfies object;`,
};

describe('a configuration', () => {
  it.each(Object.keys(forms))('is read from %s', async (name) => {
    await project.write({ [name]: forms[name]! });
    expect(await load()).toEqual({ context, file: join(project.directory, name) });
  });

  it('is empty if there is no file, or the file is empty', async () => {
    expect(await load()).toEqual({ context: {}, file: null });
    for (const name of ['palimpsest.config.yaml', 'palimpsest.config.json']) {
      await project.write({ [name]: '\n' });
      expect((await load({ file: name })).context).toEqual({});
    }
    expect((await load()).file).toBe(join(project.directory, 'palimpsest.config.json'));
  });

  it('is never searched for above the project', async () => {
    await project.write({ 'palimpsest.config.json': forms['palimpsest.config.json']!, 'inner/x': '' });
    expect((await load({ cwd: join(project.directory, 'inner') })).file).toBeNull();
  });

  it('can be the key "context" of a file with other content', async () => {
    await project.write({
      'agent.yaml': `model: gpt-5\ncontext:\n  engine: compressor\ntools: [a, b]\n`,
      'settings/agent.json': JSON.stringify({ theme: 'dark', context: { engine: 'compressor' } }),
      'none.yml': 'model: gpt-5\n',
    });
    expect((await load({ file: 'agent.yaml' })).context).toEqual({ engine: 'compressor' });
    expect((await load({ file: 'settings/agent.json' })).context).toEqual({ engine: 'compressor' });
    expect((await load({ file: 'none.yml' })).context).toEqual({});
  });

  it('is overridden by PALIMPSEST_ENGINE in the environment', async () => {
    await project.write({ 'palimpsest.config.json': forms['palimpsest.config.json']! });
    const env = { PALIMPSEST_ENGINE: ' compressor ' };
    expect((await load({ env })).context).toEqual({ ...context, engine: 'compressor' });
    expect((await load({ env: { PALIMPSEST_ENGINE: '' } })).context).toEqual(context);
  });

  it('uses the environment of the process by default', async () => {
    process.env.PALIMPSEST_ENGINE = 'from-the-process';
    try {
      expect((await loadConfig({ cwd: project.directory })).context).toEqual({ engine: 'from-the-process' });
    } finally {
      delete process.env.PALIMPSEST_ENGINE;
    }
  });

  it('is returned unchanged by defineConfig', () => {
    const config = { context: { engine: 'compressor' } };
    expect(defineConfig(config)).toBe(config);
  });
});

describe('a project whose code may not run', () => {
  const refused = async (
    files: Readonly<Record<string, string>>,
  ): Promise<readonly [asked: string[], found: unknown]> => {
    await project.write(files);
    const asked: string[] = [];
    const mayRunCode = async (file: string): Promise<boolean> => {
      asked.push(file.slice(project.directory.length + 1));
      return false;
    };
    const found = await load({ mayRunCode });
    return [asked, found];
  };
  const nothing = { context: {}, file: null };

  it.each(['ts', 'mts', 'js', 'mjs', 'cjs'])(
    'has its configuration in %s ignored, without executing it',
    async (type) => {
      const name = `palimpsest.config.${type}`;
      const marker = 'globalThis.configurationHasRun = true;';
      expect(await refused({ [name]: marker })).toEqual([[name], nothing]);
      expect(globalThis).not.toHaveProperty('configurationHasRun');
    },
  );

  it.each(['engine: ./mine.mjs', 'engine: my-package', 'fallback: "@acme/engine"', 'engine: my-folder'])(
    'has data with "%s" ignored',
    async (line) => {
      const name = 'palimpsest.config.yaml';
      expect(await refused({ [name]: `context:\n  ${line}\n` })).toEqual([[name], nothing]);
    },
  );

  it('has other data read', async () => {
    const [asked, found] = await refused({ 'palimpsest.config.json': forms['palimpsest.config.json']! });
    expect([asked, found]).toEqual([[], { context, file: join(project.directory, 'palimpsest.config.json') }]);
  });

  it('has a file read that is named, and one that is permitted', async () => {
    const name = 'palimpsest.config.mjs';
    await project.write({ [name]: forms[name]! });
    expect((await load({ file: name, mayRunCode: async () => false })).context).toEqual(context);
    expect((await load({ mayRunCode: async () => true })).context).toEqual(context);
  });
});

describe('the error for a file', () => {
  it('that does not exist', async () => {
    expect(await refusal('x', '', { file: 'missing.yaml' })).toMatchInlineSnapshot(`
      "CONFIG_INVALID
      There is no configuration file <project>/missing.yaml."
    `);
  });
  it('with an unsupported extension', async () => {
    expect(await refusal('agent.toml', '', { file: 'agent.toml' })).toMatchInlineSnapshot(`
      "CONFIG_INVALID
      The configuration file <project>/agent.toml has an unsupported extension. Use one of: .json, .yaml, .yml, .ts, .mts, .cts, .js, .mjs, .cjs."
    `);
  });
  it('that is invalid JSON', async () => {
    expect(await refusal('palimpsest.config.json', '{ "context": { "engine": }')).toMatch(
      /^CONFIG_INVALID\nThe configuration file <project>\/palimpsest\.config\.json cannot be read: Unexpected token '}'/,
    );
  });
  it('that is invalid YAML', async () => {
    expect(await refusal('palimpsest.config.yaml', 'context:\n  engine: "compressor\n')).toMatchInlineSnapshot(`
      "CONFIG_INVALID
      The configuration file <project>/palimpsest.config.yaml cannot be read: Missing closing "quote at line 3, column 1"
    `);
  });
  it('that throws', async () => {
    expect(await refusal('palimpsest.config.mjs', 'throw new Error("no database");')).toMatchInlineSnapshot(`
      "CONFIG_INVALID
      The configuration file <project>/palimpsest.config.mjs cannot be read: no database"
    `);
  });
  it('that throws in TypeScript', async () => {
    expect(await refusal('palimpsest.config.ts', 'const text: string = null!;\nexport default text.length;')).toMatch(
      /^CONFIG_INVALID\nThe configuration file <project>\/palimpsest\.config\.ts cannot be read: Cannot read properties of null/,
    );
  });
  it('that contains a list', async () => {
    expect(await refusal('palimpsest.config.yaml', '- compressor\n')).toMatchInlineSnapshot(`
      "CONFIG_INVALID
      The configuration file <project>/palimpsest.config.yaml contains a list; expected an object with the key "context"."
    `);
  });
  it('that is a YAML bomb', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, row) => `l${row + 1}: &l${row + 1} [${Array(9).fill(`*l${row}`).join(', ')}]`,
    );
    expect(await refusal('palimpsest.config.yaml', `l0: &l0 lol\n${rows.join('\n')}\n`)).toMatchInlineSnapshot(`
      "CONFIG_INVALID
      The configuration file <project>/palimpsest.config.yaml cannot be read: Excessive alias count indicates a resource exhaustion attack"
    `);
  });
  it('with unknown keys', async () => {
    const text = 'contxt:\n  engine: a\nengine: b\nother: 1\n';
    expect(await refusal('palimpsest.config.yaml', text)).toMatchInlineSnapshot(`
      "OPTION_INVALID
      3 options are not valid in <project>/palimpsest.config.yaml:
        contxt: unknown option. Did you mean "context"? Known: context.
        engine: unknown option. Did you mean "context.engine"?
        other: unknown option. Known: context."
    `);
  });
  it('shared with other tools, in which "context" is misspelled', async () => {
    expect(await refusal('agent.yaml', 'contexts:\n  engine: a\n', { file: 'agent.yaml' })).toMatchInlineSnapshot(`
      "OPTION_INVALID
      One option is not valid in <project>/agent.yaml:
        contexts: unknown option. Did you mean "context"?"
    `);
  });
  it('with wrong types and unknown keys under "context"', async () => {
    const text = 'context:\n  engine: 3\n  fallbak: compressor\n  engines: [compressor]\n';
    expect(await refusal('palimpsest.config.yaml', text)).toMatchInlineSnapshot(`
      "OPTION_INVALID
      3 options are not valid in <project>/palimpsest.config.yaml:
        context.fallbak: unknown option. Did you mean "fallback"? Known: engine, fallback, engines.
        context.engine: expected the name of an engine; given: 3
        context.engines: expected an object with the options of each engine by its name; given: a list"
    `);
  });
});
