import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import { rawConnection, rawRequest } from '../proxy/raw-http.ts';
import { tenantsText } from '../proxy/tenants/tenants-file.ts';
import { upstreamsOf } from '../real-agents/agent-run.ts';
import { toolRounds } from '../tool-rounds.ts';
import { runningProgram } from './running-program.ts';

const tools = [{ type: 'function', function: { name: 'read_file' } }];
/** Of the victim: longer than its window, so that it is compacted. */
const secret = 'SECRET-OF-THE-VICTIM';
const history = toolRounds(100);
const victim = {
  model: 'm',
  messages: [{ role: 'user', content: secret }, ...history],
  tools,
  prompt_cache_key: 'victim-key',
};

let server: LoopbackServer;
let program: RunningProgram;
let folder: string;
let port: number;
beforeAll(async () => {
  server = await startLoopbackServer();
  server.play(() => ({ kind: 'answer', text: 'An answer.' }));
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-hostile-'));
  const limits = { requestBytes: 400_000, conversations: 8, requestsPerMinute: 100_000 };
  const tenants = {
    victim: { tokens: ['victim-token'], keys: { openai: '$KEY' }, limits },
    attacker: { tokens: ['attacker-token'], keys: { openai: '$KEY' }, limits },
  };
  writeFileSync(join(folder, 'tenants.json'), tenantsText(tenants));
  const options = ['--listen', '127.0.0.1:0', '--tokens', 'tenants.json', '--window', '16k', '--summaries', 'rules'];
  program = runningProgram(['proxy', ...options, '--request-timeout', '20', '--log', 'json', ...upstreamsOf(server)], {
    cwd: folder,
    env: { KEY: 'test-key' },
  });
  const [, found] = await program.written(/http:\/\/127\.0\.0\.1:(\d+)/);
  port = Number(found);
});
afterAll(async () => {
  program.process.kill('SIGKILL');
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const session = { 'x-session-id': 'victim-session' };

async function ask(token: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const reply = await fetch(`http://127.0.0.1:${port}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: reply.status, text: await reply.text() };
}

/** A request that the attacker's token does not make valid, as bytes. */
const raw = (headers: readonly string[], body: string): string =>
  ['POST /openai/v1/chat/completions HTTP/1.1', 'Host: x', ...headers, 'Connection: close', '', body].join('\r\n');

const smuggled = 'POST /openai/v1/smuggled HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer victim-token\r\n\r\n';

/** What an attacker sends, each with what comes back. */
const attacks: readonly ((at: number) => Promise<readonly [string, string]>)[] = [
  async (at) => ['401', (await ask(`guess-${at}`, victim)).status.toString()],
  async () => [
    '401',
    (await ask('', victim, { 'x-palimpsest-token': 'victim-token, attacker-token' })).status.toString(),
  ],
  // The victim's session, key and beginning: a conversation of the attacker's own.
  async (at) => [
    '200',
    (
      await ask(
        'attacker-token',
        { ...victim, messages: [...history, { role: 'user', content: `Show ${at}` }] },
        session,
      )
    ).status.toString(),
  ],
  async (at) => [
    '200',
    (
      await ask('attacker-token', { ...victim, messages: [{ role: 'user', content: `Other ${at}` }] }, session)
    ).status.toString(),
  ],
  async () => ['413', (await ask('attacker-token', { ...victim, padding: 'x'.repeat(500_000) })).status.toString()],
  async () => [
    '400',
    (await rawRequest(port, raw(['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`))).slice(
      9,
      12,
    ),
  ],
  async () => ['400', (await rawRequest(port, raw(['Content-Length: 5', 'Content-Length: 0'], smuggled))).slice(9, 12)],
  async () => ['400', (await rawRequest(port, raw(['Transfer-Encoding : chunked'], smuggled))).slice(9, 12)],
  async () => [
    '404',
    (
      await rawRequest(
        port,
        `GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer attacker-token\r\nConnection: close\r\n\r\n`,
      )
    ).slice(9, 12),
  ],
  async () => [
    '403',
    (
      await rawRequest(
        port,
        `GET /openai/v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer attacker-token\r\nConnection: close\r\n\r\n`,
      )
    ).slice(9, 12),
  ],
];

describe('1,000 hostile requests', () => {
  it('see and change nothing of another tenant, in bounded memory', { timeout: 300_000 }, async () => {
    expect((await ask('victim-token', victim, session)).status).toBe(200);
    const before = server.received.at(-1)!.body as { readonly messages: readonly unknown[] };
    expect(before.messages.length).toBeLessThan(victim.messages.length);
    // Slow clients, which stay connected meanwhile.
    const slow = Array.from({ length: 50 }, () => rawConnection(port));
    for (const { socket } of slow) socket.write('POST /openai/v1/chat/completions HTTP/1.1\r\nHost: x\r\n');
    const from = server.received.length;
    for (let at = 0; at < 950; at += 10)
      await Promise.all(
        attacks.map(async (attack, which) => {
          const [expected, actual] = await attack(at);
          expect([which, actual]).toEqual([which, expected]);
        }),
      );
    const seen = server.received.slice(from);
    expect(seen.length).toBe(190);
    expect(JSON.stringify(seen.map(({ body, path }) => [body, path]))).not.toMatch(new RegExp(`${secret}|smuggled`));
    const answers = await Promise.all(slow.map(({ received }) => received));
    expect(answers.filter((answer) => / 408 [\s\S]*too_slow/.test(answer))).toHaveLength(50);
    // The victim's next request begins with the bytes of the last one.
    const next = {
      ...victim,
      messages: [...victim.messages, { role: 'assistant', content: 'An answer.' }, { role: 'user', content: 'And?' }],
    };
    expect((await ask('victim-token', next, session)).status).toBe(200);
    const after = server.received.at(-1)!.body as { readonly messages: readonly unknown[] };
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    for (const text of [secret, 'victim-token', 'attacker-token', 'test-key'])
      expect(program.output).not.toContain(text);
    if (process.platform !== 'linux') return;
    const [, peakKb] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${program.process.pid}/status`, 'utf8'))!;
    expect(Number(peakKb)).toBeLessThan(400_000);
  });
});
