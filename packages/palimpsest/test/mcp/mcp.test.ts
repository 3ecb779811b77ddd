import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Message } from '@palimpsest/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { ConversationStats } from '../../src/conversations/conversation-stats.ts';
import { claudeCodeLog, codexLog } from '../comparison/logs.ts';
import { programCommand } from '../program/running-program.ts';
import { runningProxy } from '../proxy/running-proxy.ts';
import { toolRounds } from '../tool-rounds.ts';

const home = mkdtempSync(join(tmpdir(), 'palimpsest-mcp-'));
const claudeLog = join(home, '.claude/projects/-home-ada-parser/session-one.jsonl');
let client: Client;

function leave(path: string, log: string, changed: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, log);
  utimesSync(path, changed, changed);
}

beforeAll(async () => {
  const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
  const secret: Message[] = [
    { role: 'user', content: `Use the token ${key} for the flux capacitor.` },
    { role: 'assistant', content: 'I will.' },
  ];
  leave(claudeLog, claudeCodeLog(toolRounds(20).slice(1) as Message[], 'claude-one'), 2_000);
  leave(join(home, '.codex/sessions/2026/01/30/rollout-a.jsonl'), codexLog(secret, 'codex-one'), 1_000);
  client = new Client({ name: 'test', version: '1' });
  const [command, script] = programCommand;
  await client.connect(
    new StdioClientTransport({
      command,
      args: [script, 'mcp'],
      env: { HOME: home, PATH: process.env.PATH ?? '' },
    }),
  );
});
afterAll(async () => {
  await client.close();
  rmSync(home, { recursive: true, force: true });
});

async function call(name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input });
  return (content as { text: string }[])[0]!.text;
}

describe('palimpsest mcp', () => {
  it('offers three tools', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list_sessions', 'recall', 'expand']);
  });

  it('lists the sessions of Claude Code and Codex, newest first', async () => {
    const lines = (await call('list_sessions')).split('\n');
    expect(lines).toEqual([expect.stringContaining('session-one.jsonl'), expect.stringContaining('rollout-a.jsonl')]);
    expect((await call('list_sessions', { limit: 1 })).split('\n')).toHaveLength(1);
  });

  it('finds a line of the newest session, and shows the text behind it', async () => {
    const found = await call('recall', { query: 'value_7_3' });
    expect(found).toContain('module-7.ts');
    const ref = /\b[0-9a-f]{8}\b/.exec(found)![0];
    expect(await call('expand', { ref })).toContain('export const value_7_29 = compute(203);');
  });

  it('reads what the agent has written since', async () => {
    const later = { role: 'user', content: 'Remember the zeppelin hangar.' };
    const line = { parentUuid: null, uuid: 'later', sessionId: 'claude-one', type: 'user', message: later };
    appendFileSync(claudeLog, `${JSON.stringify({ ...line, parentUuid: lastUuid() })}\n`);
    expect(await call('recall', { query: 'zeppelin hangar' })).toContain('zeppelin hangar');
  });

  it('searches the newest session that can be read', async () => {
    const broken = join(home, '.claude/projects/-home-ada-parser/session-broken.jsonl');
    leave(broken, 'no JSON\n', Date.now() / 1000 + 60);
    expect(await call('list_sessions', { limit: 1 })).toContain('session-broken.jsonl');
    const other = new Client({ name: 'test', version: '1' });
    const [command, script] = programCommand;
    const env = { HOME: home, PATH: process.env.PATH ?? '' };
    await other.connect(new StdioClientTransport({ command, args: [script, 'mcp'], env }));
    const { content } = await other.callTool({ name: 'recall', arguments: { query: 'value_7_3' } });
    expect(JSON.stringify(content)).toContain('module-7.ts');
    await other.close();
    expect(await call('recall', { query: 'x', session: 'session-broken' })).toMatch(/session-broken\.jsonl.*JSON/);
    rmSync(broken);
  });

  it('searches another session by its path, and masks secrets in it', async () => {
    const found = await call('recall', { query: 'flux capacitor', session: 'rollout-a' });
    expect(found).toContain('flux capacitor');
    expect(found).not.toContain('A1b2C3d4');
  });

  it.skipIf(process.platform === 'win32')(
    'finds what a proxy has removed from a running conversation, as long as the proxy runs',
    async () => {
      const folder = join(home, '.palimpsest');
      mkdirSync(folder, { mode: 0o755 });
      const server = await startLoopbackServer();
      server.play(() => ({ kind: 'answer', text: 'An answer.' }));
      const running = await runningProxy(server, { home, window: 16_000 });
      const tools = [{ type: 'function' as const, function: { name: 'read_file' } }];
      await running.openai.chat.completions.create({ model: 'm', messages: toolRounds(100), tools });
      const [{ compactions, id }] = running.proxy.conversations as [ConversationStats];
      expect(compactions.length).toBeGreaterThan(0);
      const [newest] = (await call('list_sessions', { limit: 1 })).split('\n');
      expect(newest).toBe(`proxy/OpenAI/JS/m/${id}`);
      const found = await call('recall', { query: 'value_60_17', session: id });
      expect(found).toContain('export const value_60_17 = compute(1020);');
      expect(JSON.stringify(server.received[0]!.body)).not.toContain('value_60_17');
      // Only this user can open the socket, and it ends with the proxy.
      const [socket, ...others] = readdirSync(folder).map((name) => join(folder, name));
      expect(others).toEqual([]);
      expect([folder, socket!].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
      await running.proxy.close();
      await server.close();
      expect(readdirSync(folder)).toEqual([]);
      expect(await call('recall', { query: 'value_60_17', session: id })).toMatch(/list_sessions names them/);
    },
  );

  it('answers mistakes so that the model can read them', async () => {
    expect(await call('recall', { query: 'x', session: 'no-such-session' })).toMatch(/list_sessions names them/);
    expect(await call('expand', { ref: 'ffffffff' })).toMatch(/has this ref/);
    expect(await call('no_such_tool')).toMatch(/no_such_tool/);
  });
});

/** The id of the last line that was written by the helper. */
function lastUuid(): string {
  // Two lines a round, one for the request, and one before it.
  return `claude-one-${toolRounds(20).length - 1}`;
}
