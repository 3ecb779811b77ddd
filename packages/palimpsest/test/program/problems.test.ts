import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { folderStore } from '../../src/conversations/conversation-store.ts';
import { runHere } from '../comparison/run-here.ts';
import { chatLoop } from '../proxy/agent-loops.ts';
import { type RunningProxy, runningProxy } from '../proxy/running-proxy.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';
import { toolRounds } from '../tool-rounds.ts';
import { runningProgram } from './running-program.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-problems-'));
  const engine = join(folder, 'plugins', 'context-engine', 'weary');
  mkdirSync(engine, { recursive: true });
  // Assembled here, because a file of the repository must not contain a secret.
  const key = ['sk', 'ant', 'api03', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4'].join('-');
  writeFileSync(
    join(engine, 'index.mjs'),
    `export default {
      name: 'weary',
      apiVersion: 1,
      create: () => ({
        initial: null,
        budget: ({ contextLength }) => ({ contextLength, usableTokens: contextLength, thresholdTokens: contextLength / 2, tailTokens: 0, summaryTokens: 0 }),
        plan: async () => { throw new Error('no strength left\\nfor ${key}'); },
      }),
    };`,
  );
  writeFileSync(join(engine, 'package.json'), '{"main":"index.mjs"}');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

let running: RunningProxy | undefined;
afterEach(async () => {
  await running?.proxy.close();
  running = undefined;
});

const statusOf = async (url: string): Promise<string> => (await fetch(url)).text();

describe('an engine that fails', () => {
  it('is named by run, with its failures and the engine that was used instead', async () => {
    server.play(() => ({ kind: 'answer', text: 'An answer.', promptTokens: 8_000 }));
    const body = {
      model: 'm',
      messages: toolRounds(100),
      tools: [{ type: 'function', function: { name: 'read_file' } }],
    };
    const agent = join(folder, 'agent.mjs');
    writeFileSync(
      agent,
      `await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ${JSON.stringify(JSON.stringify(body))},
      });`,
    );
    const options = [
      'run',
      '--openai',
      server.openaiUrl,
      '--window',
      '16k',
      '--engine',
      'weary',
      '--summaries',
      'rules',
    ];
    const program = runningProgram([...options, '--', process.execPath, agent], { cwd: folder });
    expect(await program.ended).toBe(0);
    const [first, failed, last] = program.stderr.split('\n');
    expect(first).toMatch(/^palimpsest: live view on http:\S+ \(engine weary; summaries by rules\)$/);
    expect(failed).toMatch(
      /^palimpsest: engine weary failed \d+ times? \(no strength left for \S+\); compressor was used instead$/,
    );
    expect(failed).not.toContain('E5f6G7h8');
    expect(last).toMatch(/^palimpsest: \d compactions? in 1 request/);
  });

  it('is reported by the proxy when it happens, and on the live view', async () => {
    const problems: string[] = [];
    const onProblem = (problem: string): void => void problems.push(problem);
    server.play(scriptedProvider(32_000, 100).script);
    running = await runningProxy(server, { directory: folder, config: { engine: 'weary' }, onProblem });
    expect(await statusOf(running.proxy.url)).toMatch(/Engine: weary(?!.*failed)/s);
    await chatLoop({ ...running, history: [], task: 'Read all files.', rounds: 60 });
    expect(problems[0]).toMatch(/^engine weary failed \(no strength left for \S+\); compressor was used instead$/);
    expect(await statusOf(running.proxy.url)).toMatch(
      /Engine weary failed \d+ times? \(no strength left for \S+\); compressor was used instead\./,
    );
  });
});

describe('a store in a folder', () => {
  it.each([
    [
      'that is a file',
      () => join(folder, 'plugins', 'context-engine', 'weary', 'index.mjs'),
      /index\.mjs is a file; name a folder/,
    ],
    [
      'below a file',
      () => join(folder, 'plugins', 'context-engine', 'weary', 'index.mjs', 'state'),
      /cannot be stored in .*state \(ENOTDIR\); change/,
    ],
    ...(process.platform === 'win32'
      ? []
      : ([0o777, 0o1777, 0o770] as const).map(
          (mode) =>
            [
              `that others can write to (${mode.toString(8)})`,
              () => {
                const shared = join(folder, `shared-${mode}`);
                mkdirSync(shared, { recursive: true });
                chmodSync(shared, mode);
                return shared;
              },
              /other users can write to .*shared-\d+, and could change conversations; run chmod go-w on it/,
            ] as const,
        )),
    ...(process.platform === 'linux'
      ? [['where no folder can be', () => '/proc/nope', /cannot be stored in \/proc\/nope \(ENOENT\); change/] as const]
      : []),
  ] as const)('%s is refused at the start', async (_what, state, message) => {
    for (const command of [
      ['proxy', '--port', '0'],
      ['run', '--', process.execPath, '--version'],
    ]) {
      const [name, ...rest] = command as [string, ...string[]];
      const { code, stdout, stderr } = await runHere([name, '--store', state(), ...rest], { cwd: folder });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^palimpsest: --store: [^\n]+\n$/);
      expect(stderr).toMatch(message);
    }
  });

  it.each([
    ['redis://user:pass-word@127.0.0.1:1/0', /^palimpsest: --store: 127\.0\.0\.1:1 cannot be used: .+\n$/],
    ['postgres://user:pass-word@127.0.0.1:1/db', /^palimpsest: --store: 127\.0\.0\.1:1 cannot be used: .+\n$/],
    ['mysql://user:pass-word@127.0.0.1/db', /^palimpsest: --store: name a folder, or write redis:/],
  ])('is not a database that cannot be used: %s', async (url, message) => {
    const { code, stderr } = await runHere(['proxy', '--port', '0', '--store', url], { cwd: folder });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('pass-word');
  });

  it('that fails later is reported once, and on the live view', async () => {
    const state = join(folder, 'state');
    const problems: string[] = [];
    const onProblem = (problem: string): void => void problems.push(problem);
    server.play(scriptedProvider(32_000, 100).script);
    running = await runningProxy(server, { store: folderStore(state), onProblem });
    writeFileSync(state, 'in the place of the folder');
    await chatLoop({ ...running, history: [], task: 'Read all files.', rounds: 60 });
    expect(problems.filter((problem) => problem.includes(`the store at ${state} failed: E`))).toHaveLength(1);
    expect(await statusOf(running.proxy.url)).toContain(`The store at ${state} failed`);
  });
});
