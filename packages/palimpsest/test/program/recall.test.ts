import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { claudeCodeLog } from '../comparison/logs.ts';
import { runHere } from '../comparison/run-here.ts';
import { scratchFolder } from '../comparison/scratch.ts';
import { runningProxy } from '../proxy/running-proxy.ts';
import { toolRounds } from '../tool-rounds.ts';

const folder = scratchFolder();
const home = join(folder.path, 'home');
const logs = join(home, '.claude/projects/-home-ada-parser');
mkdirSync(logs, { recursive: true });
folder.write('session.json', toolRounds(20));
for (const [name, changed] of [
  ['older', 1_000],
  ['newer', 2_000],
] as const) {
  const path = folder.write(
    `home/.claude/projects/-home-ada-parser/${name}.jsonl`,
    claudeCodeLog(toolRounds(9).slice(1) as Message[], name),
  );
  utimesSync(path, changed, changed);
}
const recall = (...arguments_: string[]) => runHere(['recall', ...arguments_], { cwd: folder.path, home });

describe('palimpsest recall', () => {
  it('prints the hits in a file, with the number of the message, counted from 1, and the lines around them', async () => {
    const { code, stdout } = await recall('value_7_3', 'session.json', '--limit', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^session\n\[1\] message \d+ of 42: read_file .*module-7\.ts.*, lines? \d+/);
    const [, number] = /message (\d+) of/.exec(stdout)!;
    expect(JSON.stringify(toolRounds(20)[Number(number) - 1])).toContain('value_7_3 ');
    expect(stdout).toMatch(/^4\| export const value_7_3 = /m);
  });

  it('leaves out what only resembles the words, unless there is nothing else', async () => {
    folder.write(
      'ports.json',
      [6, 7, 8, 9].map((port, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `The value of PORT_${port} is ${port}000.`,
      })),
    );
    const found = async (words: string): Promise<string[] | null> =>
      (await recall(words, 'ports.json')).stdout.match(/PORT_\d(?= is)/g);
    expect(await found('PORT_7')).toEqual(['PORT_7']);
    expect(await found('port_7 PORT_9')).toHaveLength(2);
    expect(await found('PORT_5')).not.toBeNull();
  });

  it('prints the same as JSON, counted from 0', async () => {
    const { stdout } = await recall('value_7_3', 'session.json', '--json', '--limit', '1');
    const { version, sessions } = JSON.parse(stdout);
    const [{ name, messages, hits }] = sessions;
    expect([version, name, messages, hits.length]).toEqual([1, 'session', toolRounds(20).length, 1]);
    expect(JSON.stringify(toolRounds(20)[hits[0].message])).toContain('value_7_3 ');
  });

  it('searches the newest session of this machine, one by a part of its name, or recorded ones', async () => {
    const names = async (...arguments_: string[]): Promise<string[]> =>
      (await recall('value_7_3', ...arguments_)).stdout.match(/^~.*$/gm) ?? [];
    expect(await names()).toEqual([expect.stringContaining('newer.jsonl')]);
    expect(await names('older')).toEqual([expect.stringContaining('older.jsonl')]);
    expect(await names('parser/older')).toEqual([expect.stringContaining('older.jsonl')]);
    expect(await names('--claude-code')).toHaveLength(2);
    expect(await names('--claude-code', '--newest', '1')).toEqual([expect.stringContaining('newer.jsonl')]);
  });

  it('skips a recorded session that cannot be read', async () => {
    const path = folder.write('home/.claude/projects/-home-ada-parser/broken.jsonl', '{ "type": "us');
    utimesSync(path, 500, 500);
    const { code, stdout, stderr } = await recall('value_7_3', '--claude-code', '--limit', '1');
    expect({ code, found: stdout.match(/^~/gm) }).toEqual({ code: 0, found: ['~', '~'] });
    expect(stderr).toMatch(/^palimpsest: skipped: .*broken\.jsonl.*\n$/);
  });

  it.skipIf(process.platform === 'win32')('searches the conversations of a running proxy', async () => {
    const server = await startLoopbackServer();
    server.play(() => ({ kind: 'answer', text: 'An answer.' }));
    const running = await runningProxy(server, { home, window: 16_000 });
    const tools = [{ type: 'function' as const, function: { name: 'read_file' } }];
    await running.openai.chat.completions.create({ model: 'm', messages: toolRounds(100), tools });
    const { stdout } = await recall('value_60_17');
    await running.proxy.close();
    await server.close();
    expect(stdout).toMatch(/^proxy\/OpenAI/);
    expect(stdout).toContain('export const value_60_17 = compute(1020);');
  });

  it('says what is wrong', async () => {
    expect(await recall('zeppelin', 'session.json')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'palimpsest: nothing matches "zeppelin"\n',
    });
    expect((await recall('x', 'no-such-session')).stderr).toMatch(/"no-such-session" is neither a file nor a part/);
    expect((await recall('x', '--newest', '2')).code).toBe(2);
    expect((await recall('x', 'session.json', '--codex')).code).toBe(2);
  });
});
