import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import { runHere } from '../comparison/run-here.ts';
import { tenantsText } from '../proxy/tenants/tenants-file.ts';
import { upstreamsOf } from '../real-agents/agent-run.ts';
import { runningProgram } from './running-program.ts';

let server: LoopbackServer;
let folder: string;
let file: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-serving-'));
  file = join(folder, 'tenants.json');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

let program: RunningProgram | null = null;
afterEach(() => {
  program?.process.kill('SIGKILL');
});

/** Starts a proxy for tenants on all addresses. */
async function serving(...options: string[]): Promise<{ readonly program: RunningProgram; readonly url: string }> {
  const arguments_ = ['proxy', '--listen', '0.0.0.0:0', '--tokens', 'tenants.json', ...upstreamsOf(server), ...options];
  const started = runningProgram(arguments_, { cwd: folder, env: { OPERATOR_KEY: 'test-key' } });
  program = started;
  const [, port] = await started.written(/http:\/\/0\.0\.0\.0:(\d+)/);
  return { program: started, url: `http://127.0.0.1:${port}` };
}

const statusWith = async (url: string, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
  return (await fetch(`${url}/openai/v1/chat/completions`, { method: 'POST', headers, body })).status;
};

describe('palimpsest proxy --tokens', () => {
  it.skipIf(process.platform === 'win32')(
    'serves tenants, reads the tokens again on SIGHUP, and ends on SIGTERM',
    async () => {
      server.play(() => ({ kind: 'answer', text: 'An answer.' }));
      const keys = { openai: '$OPERATOR_KEY' };
      writeFileSync(file, tenantsText({ acme: { tokens: ['first'], keys } }));
      const { program: running, url } = await serving();
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect([await statusWith(url, 'first'), await statusWith(url, 'second')]).toEqual([200, 401]);
      writeFileSync(file, tenantsText({ acme: { tokens: ['second'], keys }, globex: { tokens: ['third'] } }));
      running.process.kill('SIGHUP');
      await running.written(/the tokens were read again: 2 tenants/);
      expect([await statusWith(url, 'first'), await statusWith(url, 'second')]).toEqual([401, 200]);
      writeFileSync(file, 'broken');
      running.process.kill('SIGHUP');
      await running.written(/palimpsest: the tokens stay as they were: .*is not JSON/);
      expect(await statusWith(url, 'second')).toBe(200);
      running.process.kill('SIGTERM');
      expect(await running.ended).toBe(0);
      for (const secret of ['second', 'test-key', 'Hello']) expect(running.output).not.toContain(secret);
    },
  );

  it('writes events as JSON, without a text or a key', async () => {
    writeFileSync(file, tenantsText({ acme: { tokens: ['acme-token'], keys: { openai: '$OPERATOR_KEY' } } }));
    const { program: running, url } = await serving('--log', 'json');
    expect([await statusWith(url, 'acme-token'), await statusWith(url, 'guessed')]).toEqual([200, 401]);
    running.process.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    const lines = running.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const base = { time: expect.stringMatching(/^\d{4}-.*Z$/), level: 'info' };
    expect(lines).toEqual([
      { ...base, event: 'started', url: expect.stringContaining('http://0.0.0.0:'), engine: 'compressor' },
      {
        ...base,
        event: 'request',
        tenant: 'acme',
        upstream: 'openai',
        method: 'POST',
        status: 200,
        durationMs: expect.any(Number),
        addedMs: expect.any(Number),
        conversation: null,
      },
      {
        ...base,
        level: 'warn',
        event: 'refused',
        tenant: null,
        client: '127.0.0.1',
        status: 401,
        reason: 'token_invalid',
      },
    ]);
    for (const secret of ['acme-token', 'guessed', 'test-key', 'Hello']) expect(running.output).not.toContain(secret);
  });

  it('serves metrics on an address of their own', async () => {
    writeFileSync(file, tenantsText({ acme: { tokens: ['first'], keys: { openai: '$OPERATOR_KEY' } } }));
    const { program: running, url } = await serving('--metrics', '127.0.0.1:0');
    const [, metrics] = await running.written(/metrics on (\S+)/);
    expect(await statusWith(url, 'first')).toBe(200);
    expect(await (await fetch(metrics!)).text()).toContain('palimpsest_requests_total{tenant="acme"');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it.each([
    [['--listen', '0.0.0.0:0'], 2, /other machines can reach 0\.0\.0\.0; .*--tokens/],
    [['--listen', '127.0.0.1:0', '--port', '1'], 2, /--listen <address>' cannot be used with option '--port <port>'/],
    [['--listen', '4141'], 2, /Write an address and a port/],
    [['--port', '70000'], 2, /Write a number from 0 to 65535/],
    [['--drain', '601'], 2, /from 0 to 600/],
    [['--tokens', 'nowhere.json'], 1, /--tokens \S+nowhere\.json cannot be read/],
  ])('%j is refused', async (options, code, message) => {
    const { stderr, ...ended } = await runHere(['proxy', ...options], { cwd: folder });
    expect([ended.code, stderr]).toEqual([code, expect.stringMatching(message)]);
  });
});
