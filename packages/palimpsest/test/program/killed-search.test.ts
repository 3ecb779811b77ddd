import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, type Received, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { allLoops } from '../proxy/all-loops.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';
import { proxyProgram } from './proxy-program.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-killed-search-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The messages or items, without the cache mark that moves along. */
function list({ body }: Received): readonly string[] {
  return ((body.messages ?? body.input ?? body.contents) as object[]).map((item) =>
    JSON.stringify(item)
      .replaceAll(/,"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}/g, '')
      .replace(/"content":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]/, '"content":$1'),
  );
}

describe.each(Object.entries(allLoops))('a conversation with searches, on %s', (name, loop) => {
  it('continues with the same bytes after kill -9 of the program', async () => {
    const { log, script } = scriptedProvider(24_000, 60);
    let searches = 0;
    server.play((request, number) => {
      if (number % 5 !== 2) return script(request);
      searches++;
      return {
        kind: 'answer',
        text: '',
        calls: [{ id: `recall_${searches}`, name: 'recall', arguments: '{"query":"\\"file-1.ts:7:\\""}' }],
      };
    });
    const state = join(folder, name);
    const options = ['--window', '24000', '--summaries', 'rules', '--store', state];
    const task = 'Read all files.';
    const history: object[] = [];
    const first = await proxyProgram(server, options, folder);
    await loop({ ...first, history, task, rounds: 40 });
    const [conversation] = await first.conversations();
    first.program.process.kill('SIGKILL');
    await first.program.ended;
    const before = list(server.received.at(-1)!);
    const second = await proxyProgram(server, options, folder);
    const from = server.received.length;
    await loop({ ...second, history, task, rounds: 1 });
    second.program.process.kill('SIGKILL');
    expect(conversation!.compactions.length).toBeGreaterThan(0);
    expect(searches).toBeGreaterThan(5);
    expect(list(server.received[from]!).slice(0, before.length)).toEqual(before);
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
