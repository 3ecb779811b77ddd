import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import { runHere } from '../comparison/run-here.ts';
import { chatLoop } from '../proxy/agent-loops.ts';
import { rawServer } from '../proxy/raw-http.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';
import { toolRounds } from '../tool-rounds.ts';
import { runningProgram } from './running-program.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-program-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

let started: RunningProgram[] = [];
afterEach(() => {
  for (const { process } of started) process.kill('SIGKILL');
  started = [];
});

function run(arguments_: readonly string[], env: Readonly<Record<string, string>> = {}): RunningProgram {
  const running = runningProgram(arguments_, { cwd: folder, env });
  started.push(running);
  return running;
}

const upstreams = (): string[] => [
  '--openai',
  server.openaiUrl,
  '--anthropic',
  server.anthropicUrl,
  '--gemini',
  server.geminiUrl,
];
const clients = (url: string) => ({
  openai: new OpenAI({ apiKey: 'test-key', baseURL: `${url}/openai/v1`, maxRetries: 0 }),
  anthropic: new Anthropic({ apiKey: 'test-key', baseURL: `${url}/anthropic`, maxRetries: 0 }),
  gemini: new GoogleGenAI({ apiKey: 'test-key', httpOptions: { baseUrl: `${url}/gemini` } }),
});

/** Starts `palimpsest proxy`, and returns clients that use it. */
async function startedProxy(...options: string[]) {
  const running = run(['proxy', '--port', '0', ...upstreams(), ...options]);
  const [, url] = await running.written(/live view on (http:\S+)/);
  return { running, url: url!, ...clients(url!) };
}

describe('palimpsest', () => {
  it('shows its commands on one screen', async () => {
    const help = await runHere(['--help'], { cwd: folder });
    expect(help.code).toBe(0);
    expect(help.stdout.split('\n').length).toBeLessThanOrEqual(40);
    for (const command of ['run', 'proxy', 'mcp', 'compare', 'inspect', 'compact', 'redact', 'engines', 'trajectory'])
      expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it.each([
    ['an unknown engine', ['proxy', '--engine', 'compresor'], /Did you mean "compressor"/],
    [
      'an address with a key',
      ['proxy', '--openai', 'https://user:secret@example.com/v1'],
      /^palimpsest: --openai: [^\n]*set the key in the agent[^\n]*\n$/,
    ],
    [
      'an agent that does not exist',
      ['run', '--', 'no-such-agent'],
      /no-such-agent could not be started: there is no such program/,
    ],
    [
      'an agent that is not a program',
      ['run', '--', fileURLToPath(import.meta.url)],
      /program\.test\.ts could not be started: permission denied\n$/,
    ],
  ])('reports %s', async (_, arguments_, message) => {
    const { code, stderr } = await runHere(arguments_, { cwd: folder });
    expect([1, 2]).toContain(code);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret');
  });

  it('reports a port that is in use', async () => {
    const { port } = new URL(server.openaiUrl);
    expect(await runHere(['proxy', '--port', port], { cwd: folder })).toMatchObject({
      code: 1,
      stderr: `palimpsest: port ${port} is in use; choose another with --port\n`,
    });
  });

  it('reports a port that this user may not open', async () => {
    // Tests may run as root, who may open every port.
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' });
      setImmediate(() => this.emit('error', error));
      return this;
    });
    try {
      expect(await runHere(['proxy'], { cwd: folder })).toMatchObject({
        code: 1,
        stderr: 'palimpsest: port 4141 cannot be opened: permission denied; choose another with --port\n',
      });
    } finally {
      listen.mockRestore();
    }
  });
});

describe('palimpsest proxy', () => {
  it('continues with the same bytes after kill -9, and logs no key', async () => {
    const state = join(folder, 'state');
    const { log, script } = scriptedProvider(32_000, 10);
    server.play(script);
    const history: object[] = toolRounds(100);
    const first = await startedProxy('--window', '32k', '--store', state);
    await chatLoop({ ...first, history, task: 'Read all files.', rounds: 5 });
    first.running.process.kill('SIGKILL');
    expect(await first.running.ended).toBe('SIGKILL');
    const second = await startedProxy('--window', '32k', '--store', state);
    await chatLoop({ ...second, history, task: 'Read all files.' });
    expect(log.refused).toEqual([]);
    expect(log.prompts[5]!.cachedTokens).toBeGreaterThan(log.prompts[4]!.tokens * 0.95);
    expect(first.running.stderr).toMatch(
      /OpenAI.*, m: \d+,\d+ -> \d+,\d+ tokens \((?:at the engine's threshold|it did not fit the window|near the end of the window)\)\n/,
    );
    for (const { running } of [first, second]) expect(running.stdout + running.stderr).not.toContain('test-key');
    expect(readdirSync(state).length).toBeGreaterThan(1);
    // The second has removed the socket that the first could not.
    if (process.platform !== 'win32') expect(readdirSync(join(folder, '.palimpsest'))).toHaveLength(1);
  });

  it('finishes what is streaming when it is interrupted', async () => {
    let open: ServerResponse | null = null;
    const provider = await rawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"part":1}\n\n');
      open = response;
    });
    const running = run(['proxy', '--port', '0', '--openai', provider.url.href]);
    const [, url] = await running.written(/live view on (http:\S+)/);
    const reply = await fetch(`${url}/openai/v1/chat/completions`, { method: 'POST', body: '{"messages":[]}' });
    running.process.kill('SIGINT');
    await running.written(/waiting for 1 running request;/);
    await expect(fetch(`${url}/openai/v1/models`)).rejects.toThrow();
    open!.end('data: [DONE]\n\n');
    expect(await reply.text()).toBe('data: {"part":1}\n\ndata: [DONE]\n\n');
    expect(await running.ended).toBe(0);
    await provider.close();
  });

  it('ends at once when it is interrupted and no request is running', async () => {
    const { running } = await startedProxy();
    running.process.kill('SIGINT');
    expect(await running.ended).toBe(0);
    expect(running.stderr).toBe('');
  });

  it('changes nothing while it observes, and reports what would have been done', async () => {
    server.play(() => ({ kind: 'answer', text: 'An answer.' }));
    const { openai, running, url } = await startedProxy('--window', '16k', '--observe');
    const tools = [{ type: 'function' as const, function: { name: 'read_file' } }];
    const body = { model: 'm', messages: toolRounds(100), tools };
    await openai.chat.completions.create(body);
    expect(server.received[0]!.body).toEqual(body);
    await running.written(/-> [\d,]+ tokens/);
    const { conversations } = await (await fetch(url, { headers: { accept: 'application/json' } })).json();
    expect(conversations).toMatchObject([{ requests: 1, sizes: [{ windowTokens: 16_000 }] }]);
    expect(conversations[0].savedTokens).toBeGreaterThan(10_000);
    running.process.kill('SIGINT');
    expect(await running.ended).toBe(0);
    expect(running.stderr).toMatch(
      /\d compactions? in 1 request of the 1 conversation in memory; [\d,]+ prompt tokens would have been sent instead of [\d,]+\n$/,
    );
  });
});

describe('palimpsest run', () => {
  /** An agent that sends one long conversation, and ends with a code. */
  const agent = (model = 'gpt-5'): string => {
    const path = join(folder, 'agent.mjs');
    const body = {
      model,
      messages: toolRounds(100),
      tools: [{ type: 'function', function: { name: 'read_file' } }],
    };
    writeFileSync(
      path,
      `const reply = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
        body: ${JSON.stringify(JSON.stringify(body))},
      });
      console.log(process.argv.slice(2).join(' '), reply.status);
      process.exit(7);`,
    );
    return path;
  };

  it('runs an agent behind a proxy, with its arguments, output and exit code, and says what was compacted', async () => {
    server.play(() => ({ kind: 'answer', text: 'An answer.', promptTokens: 8_000, completionTokens: 1_000 }));
    const options = [
      'run',
      ...upstreams(),
      '--window',
      '16k',
      '--summaries',
      'rules',
      '--',
      process.execPath,
      agent(),
      '--port',
      'x',
    ];
    const running = run(options, { OPENAI_API_KEY: 'test-key' });
    expect(await running.ended).toBe(7);
    expect(running.stdout).toBe('--port x 200\n');
    expect(running.stderr).toMatch(
      // 8,000 and 1,000 tokens at 1.25 and 10 dollars per million, and what was saved.
      /^palimpsest: live view on http:\/\/127\.0\.0\.1:\d+ \(engine compressor; summaries by rules\)\npalimpsest: [1-3] compactions? in 1 request; [4-9],\d{3} prompt tokens instead of \d\d,\d{3}, \$0\.020 instead of \$0\.0[3-9]\d at list prices\n$/,
    );
    expect(server.received[0]!.headers.authorization).toBe('Bearer test-key');
  });

  it('says that the cost is unknown for a model without a list price', async () => {
    server.play(() => ({ kind: 'answer', text: 'An answer.', promptTokens: 8_000, completionTokens: 1_000 }));
    const own = agent('my-own-model');
    const running = run([
      'run',
      ...upstreams(),
      '--window',
      '16k',
      '--summaries',
      'rules',
      '--',
      process.execPath,
      own,
    ]);
    expect(await running.ended).toBe(7);
    expect(running.stderr).toMatch(
      / prompt tokens instead of \d\d,\d{3}, cost unknown \(--price gives the prices\)\n$/,
    );
  });

  it('takes the prices of --price', async () => {
    server.play(() => ({ kind: 'answer', text: 'An answer.', promptTokens: 8_000, completionTokens: 1_000 }));
    const options = ['--window', '16k', '--summaries', 'rules', '--price', '10,100,1,12'];
    const running = run(['run', ...upstreams(), ...options, '--', process.execPath, agent('my-own-model')]);
    expect(await running.ended).toBe(7);
    // 8,000 and 1,000 tokens at 10 and 100 dollars per million.
    expect(running.stderr).toMatch(/, \$0\.180 instead of \$0\.\d{3} at list prices\n$/);
    const wrong = run(['run', '--price', '3,0.3,3.75', '--', process.execPath]);
    expect(await wrong.ended).toBe(2);
    expect(wrong.stderr).toContain('four prices');
  });

  it('passes signals on to the agent', async () => {
    const path = join(folder, 'waiting-agent.mjs');
    writeFileSync(
      path,
      "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1_000); console.log('ready');",
    );
    const running = run(['run', ...upstreams(), '--', process.execPath, path]);
    await running.written(/ready/);
    running.process.kill('SIGTERM');
    expect(await running.ended).toBe(9);
  });
});
