import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig, nodeResolver } from '../src/config.ts';
import { createEngineHost, createRegistry } from '../src/index.ts';
import { plugin, trimmer } from './engines.ts';
import { createProject, type Project } from './project.ts';

let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

async function loading(name: string, text: string): Promise<Error> {
  project = await createProject({ [name]: text });
  return loadConfig({ cwd: project.directory, env: {} }).then(
    () => new Error('it was loaded'),
    (error: Error) => error,
  );
}

/** The whole error, as a program that logs it would print it. */
const printed = (error: unknown): string => inspect(error, { depth: 20, showHidden: true });
const word = ['correct', 'horse', '9'].join('-');

describe('a configuration file that cannot be parsed', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'JSON with a missing quote',
      'palimpsest.config.json',
      `{\n  "context": ${word} }`,
      /Unexpected token '.' at line 2, column 14$/,
    ],
    [
      'JSON with a missing comma',
      'palimpsest.config.json',
      `{\n "a": "${word}"\n "b": 1 }`,
      /after property value at line 3, column 2$/,
    ],
    ['JSON that ends too early', 'palimpsest.config.json', `{"a": "${word}"`, /line 1, column \d+$|end of JSON input$/],
    [
      'YAML with a missing quote',
      'palimpsest.config.yaml',
      `a: "${word}\nb: 1\n`,
      /Missing closing "quote at line \d, column \d+$/,
    ],
    [
      'YAML with a tag',
      'palimpsest.config.yaml',
      `a: !${word} x\nb: *${word}`,
      /A tag cannot be resolved|Unresolved alias/,
    ],
    ['YAML with an unknown alias', 'palimpsest.config.yaml', `context: *${word}`, /alias/],
    ['YAML with an escape', 'palimpsest.config.yaml', `a: "\\${word}"`, /An escape sequence is not valid at line 1/],
    [
      'YAML with a block header',
      'palimpsest.config.yaml',
      `a: | ${word}\n  x`,
      /(?:Not a YAML token|extra characters) at line 1/,
    ],
    [
      'YAML with a key twice',
      'palimpsest.config.yaml',
      `x: {${word}: 1,\n ${word}: 2}`,
      /A key occurs twice at line 2, column 2$/,
    ],
    ['nested YAML', 'palimpsest.config.yaml', `context: ${'['.repeat(20_000)}${word}`, /nested too deeply|line 1/],
  ])('%s: the error states the position, and contains none of the text', async (_what, name, text, reason) => {
    const error = await loading(name, text);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(error.message).toMatch(reason);
    expect(error.cause).toBeUndefined();
    expect(printed(error)).not.toContain(word);
  });

  it('masks a secret that an engine module throws', async () => {
    const key = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;
    project = await createProject({
      'engine.mjs': `throw Object.assign(new Error('no access with ${key}'), { key: '${key}' });`,
    });
    const registry = createRegistry({ resolve: nodeResolver({ directory: project.directory }) });
    const error = await registry
      .create({ engine: './engine.mjs' }, createEngineHost())
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ENGINE_INVALID' });
    expect(printed(error)).not.toContain(key);
  });
});

describe('a configuration file of 100,000 keys', () => {
  it.each([
    ['beside the context', (keys: string) => `context:\n  engine: compressor\n${keys}`, /and 99900 more/],
    ['instead of the context', (keys: string) => keys, /and 99900 more/],
  ])(
    'is read in seconds: %s',
    async (_where, write, reason) => {
      const keys = Array.from({ length: 100_000 }, (_, at) => `key${at}: ${at}`).join('\n');
      const error = await loading('palimpsest.config.yaml', write(keys));
      expect(error).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(reason) });
    },
    180_000,
  );
});

describe('an invalid option', () => {
  const options = (given: unknown, message = 'expected a number') => ({
    ...plugin('mine', () => trimmer()),
    options: {
      '~standard': {
        version: 1 as const,
        vendor: 'hand',
        validate: () => ({ issues: [{ message, path: ['size'] }] }),
      },
    },
    given,
  });
  const told = async (given: unknown, message?: string): Promise<unknown> => {
    const registry = createRegistry({ plugins: [options(given, message)] });
    const config = { engine: 'mine', engines: { mine: { size: given } } };
    return registry.create(config, createEngineHost()).catch((error: unknown) => error);
  };

  it('is not shown', async () => {
    const error = (await told(word)) as Error;
    expect(error.message).toContain('context.engines.mine.size: expected a number');
    expect(printed(error)).not.toContain(word);
  });

  it('is masked by the redactor of the host, even if it is a key or in an error of the plugin', async () => {
    const redact = (text: string): string => text.replaceAll(word, '[HOUSE RULE]');
    const host = createEngineHost({ redact });
    const unknown = await createRegistry()
      .create({ engines: { compressor: { [word]: 1 } as never } }, host)
      .catch((error: unknown) => error);
    expect((unknown as Error).message).toContain('[HOUSE RULE]');
    expect(printed(unknown)).not.toContain(word);
    const failing = {
      ...options(1),
      options: {
        '~standard': {
          version: 1 as const,
          vendor: 'x',
          validate: () => {
            throw new Error(`no ${word}`);
          },
        },
      },
    };
    const thrown = await createRegistry({ plugins: [failing as never] })
      .create({ engine: 'mine' }, host)
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'ENGINE_INVALID', message: expect.stringContaining('its schema failed') });
    expect(printed(thrown)).not.toContain(word);
  });
});

describe('an engine named like a property of every object', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty'])('gets its own options, or none: %s', async (name) => {
    const seen: unknown[] = [];
    const engine = {
      ...plugin(name, () => trimmer()),
      create: (given: unknown) => {
        seen.push(given);
        return trimmer();
      },
    };
    const registry = createRegistry({ plugins: [engine as never] });
    await registry.create({ engine: name }, createEngineHost());
    await registry.create({ engine: name, engines: { other: {} } }, createEngineHost());
    await registry.create({ engine: name, engines: { [name]: { own: 1 } } as never }, createEngineHost());
    expect(seen).toEqual([{}, {}, { own: 1 }]);
  });
});
