import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEngine } from '@palimpsest/core/authoring';
import { engineCases } from '@palimpsest/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodesEngine } from '../examples/engine-with-tools/src/engine.ts';
import { startCompactingServer } from '../packages/native/test/compacting-server.ts';
import { bundleProcess } from './bundle-process.ts';
import {
  type AnsweredCall,
  type LoopbackServer,
  type Received,
  type Script,
  startLoopbackServer,
} from './loopback-server/index.ts';

/** The examples, run as users run them: as processes, against a real server on loopback. */
const examples = fileURLToPath(new URL('../examples', import.meta.url));

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  name: string,
  { env = {}, stdin = '' }: { env?: NodeJS.ProcessEnv; stdin?: string } = {},
): Promise<Ran> {
  const program = await bundleProcess(import.meta.url, `../examples/${name}/main.ts`);
  try {
    const running = promisify(execFile)(process.execPath, [program.script], {
      cwd: `${examples}/${name}`,
      env: { PATH: process.env.PATH, ...env },
    });
    running.child.stdin!.end(stdin);
    return await running;
  } finally {
    program.remove();
  }
}

/** Reads the example's own program in `count` rounds, then answers. */
function rounds(count: number): Script {
  let next = 0;
  return (request) => {
    if (asksForPage(request)) return { kind: 'answer', text: '## Goal\nThe folder is known.' };
    const number = next++;
    const calls: AnsweredCall[] = [
      {
        id: `call_${number}`,
        name: 'read_file',
        arguments: JSON.stringify({ path: number % 2 ? 'main.ts' : 'package.json' }),
      },
    ];
    return number < count
      ? { kind: 'answer', text: `Round ${number}.`, calls }
      : { kind: 'answer', text: 'It is an example.' };
  };
}

/** True for a request in which a session asks the model for a page about the conversation. */
function asksForPage({ text }: Received): boolean {
  return text.includes('Your context is about to be replaced.');
}

describe('the examples', () => {
  it('are all tested here', () => {
    const all = readdirSync(examples).filter((name) => existsSync(`${examples}/${name}/package.json`));
    expect(all.sort()).toEqual([
      'ai-sdk-loop',
      'anthropic-loop',
      'custom-summarizer',
      'engine-with-tools',
      'langchain-loop',
      'mastra-loop',
      'native-loop',
      'only-the-pruner',
      'openai-agents-loop',
      'openai-loop',
      'redact-a-log',
      // Tested by scripts/check-third-party.mjs: packed, installed elsewhere, selected in three ways.
      'third-party-engine',
    ]);
  });

  it.each(readdirSync(examples).filter((name) => existsSync(`${examples}/${name}/package.json`)))(
    '%s states versions that npm can install, and that are tested here',
    (name) => {
      const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
      const { dependencies = {}, devDependencies = {} } = read(`${examples}/${name}/package.json`);
      for (const [dependency, stated] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
        // No `workspace:`, `catalog:`, `link:` or `file:`, which only work in here.
        expect([dependency, stated]).toEqual([dependency, expect.stringMatching(/^\^?\d+\.\d+\.\d+$/)]);
        const { version } = read(`${examples}/${name}/node_modules/${dependency}/package.json`);
        // Below 1.0, ^0.1.0 takes any 0.1 version.
        const isOwn = dependency.startsWith('@palimpsest/');
        if (isOwn) expect(stated.split('.').slice(0, 2)).toEqual(`^${version}`.split('.').slice(0, 2));
        else expect(stated).toBe(version);
      }
    },
  );

  it('only-the-pruner', async () => {
    const { stdout } = await run('only-the-pruner');
    expect(stdout).toMatch(/^[\d,]+ tokens were reclaimed\.$/m);
    expect(stdout).toMatch(/^6 {2}".*npm start.*exit 1.*"$/m);
  });

  it('redact-a-log', async () => {
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7',
      '-----END PRIVATE KEY-----',
    ];
    const log = ['started', `GITHUB_TOKEN=${secret}`, ...key, 'stopped', ''].join('\n');
    const { stdout } = await run('redact-a-log', { stdin: log });
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain(key[1]);
    expect(stdout.split('\n')).toHaveLength(log.split('\n').length);
    expect(stdout).toMatch(/^started\nGITHUB_TOKEN=.*\n(?:.*\n){3}stopped\n$/);
  });

  it('engine-with-tools', async () => {
    const { stdout } = await run('engine-with-tools');
    expect(stdout).toMatch(/^122 messages are sent as \d\d, with 1 tool\(s\) of the engine\.$/m);
    expect(stdout).toMatch(/^open_node \d\.\d+: 6 nodes\n(?:.*\n)*open_node 0\.6: the messages\nits port is 8049\n$/m);
  });

  it('custom-summarizer', async () => {
    server.play(({ text }) => ({
      kind: 'answer',
      text: [...new Set(text.match(/^## .+$/gm))].map((heading) => `${heading}\nAll that was asked.`).join('\n\n'),
    }));
    const { stdout } = await run('custom-summarizer', { env: { SUMMARIZER_URL: server.openaiUrl } });
    expect(stdout).toMatch(/^82 messages became \d+; 1 call\(s\) to local:qwen3:8b\.$/m);
    expect(server.received.map(({ problems }) => problems)).toEqual([[]]);
  });

  // `npm run test:mastra` installs Mastra, and names its folder.
  const mastra = process.env.PALIMPSEST_MASTRA;
  const links = `${examples}/mastra-loop/node_modules/@mastra`;
  beforeAll(() => {
    if (mastra) symlinkSync(`${mastra}/node_modules/@mastra`, links);
  });
  afterAll(() => rmSync(links, { force: true }));

  for (const [name, env] of [
    ['openai-loop', () => ({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'test' })],
    ['openai-agents-loop', () => ({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'test' })],
    ['langchain-loop', () => ({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'test' })],
    ['mastra-loop', () => ({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'test' })],
    ['ai-sdk-loop', () => ({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'test' })],
    ['anthropic-loop', () => ({ ANTHROPIC_BASE_URL: server.anthropicUrl, ANTHROPIC_API_KEY: 'test' })],
  ] as const)
    it.skipIf(name === 'mastra-loop' && !mastra)(name, { timeout: 180_000 }, async () => {
      server.play(rounds(30));
      const { stdout, stderr } = await run(name, { env: { ...env(), CONTEXT_LENGTH: '8000' } });
      expect(stdout).toBe('It is an example.\n');
      expect(server.received.filter((request) => !asksForPage(request))).toHaveLength(31);
      expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
      // The transcript was compacted, and no request exceeded the window (about four characters per token).
      expect(stderr).toMatch(/^context: \d+ -> \d+ tokens$/m);
      for (const { text } of server.received) expect(text.length).toBeLessThan(8_000 * 4);
    });

  it('native-loop', async () => {
    const provider = await startCompactingServer();
    // The first compactions need no handoff.
    provider.behind.play(rounds(60));
    const env = { OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: 'test', CONTEXT_LENGTH: '8000' };
    const { stdout, stderr } = await run('native-loop', { env });
    await provider.close();
    expect(stdout).toBe('It is an example.\n');
    expect(provider.problems).toEqual([]);
    expect(provider.made.length).toBeGreaterThan(0);
    expect(stderr.match(/^provider: native-compaction$/gm)).toHaveLength(provider.made.length);
    const last = JSON.stringify(provider.bodies.at(-1)!.input);
    expect(last).toContain(provider.made.at(-1)!.token);
    expect(last.length).toBeLessThan(8_000 * 4);
  });
});

describe('the engine with tools keeps the contract', () => {
  // This seed has a secret in the first words of a long request.
  for (const { name, run: check } of engineCases({ runs: 20, seed: 11 }))
    it(name, () => check((host) => createEngine(nodesEngine(host), host, { name: 'nodes' })));
});
