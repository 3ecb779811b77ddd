import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { responsesLoop } from '../proxy/agent-loops.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';
import {
  type BetaParam,
  blocksOf,
  type Management,
  refusing,
  task,
  work,
} from '../proxy/served-compaction/beta-client.ts';
import { proxyProgram } from './proxy-program.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-served-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const window = 24_000;
const options = (name: string): string[] => [
  '--window',
  String(window),
  '--summaries',
  'rules',
  '--store',
  join(folder, name),
];

/** Clears results from 8,000 tokens on, and compacts from 12,000 tokens on. */
const management: Management = {
  edits: [
    { type: 'clear_tool_uses_20250919', trigger: { type: 'input_tokens', value: 8_000 } },
    { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 12_000 } },
  ],
};

describe('a client that leaves compaction to a provider that does not offer it', () => {
  it.each([
    [true, []],
    [false, ['--compaction', 'serve']],
  ])('works 120 rounds, also after kill -9 (streamed: %s, options %j)', async (isStreamed, more) => {
    const { log, script } = scriptedProvider(window, 120);
    server.play(refusing(script));
    const state = options(`messages-${isStreamed}`);
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    const first = await proxyProgram(server, [...state, ...more], folder);
    const before = await work({ anthropic: first.anthropic, messages, management, isStreamed }, 60);
    const [conversation, ...others] = await first.conversations();
    first.program.process.kill('SIGKILL');
    await first.program.ended;
    expect(others).toEqual([]);
    expect(conversation!.compactions.length).toBe(blocksOf(before).length);
    const second = await proxyProgram(server, [...state, ...more], folder);
    const after = await work({ anthropic: second.anthropic, messages, management, isStreamed }, 100);
    expect(await second.conversations()).toHaveLength(1);
    second.program.process.kill('SIGKILL');
    await second.program.ended;
    expect(before.length + after.length).toBe(121);
    for (const answers of [before, after]) expect(blocksOf(answers).length).toBeGreaterThan(1);
    expect(JSON.stringify(messages.at(-1))).toContain('All done.');
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    // Each program offered the field to the provider once at most.
    expect(server.received.length - log.prompts.length).toBe(more.length > 0 ? 0 : 2);
    expect(server.received.at(-1)!.text).toContain(task);
  });

  it('works 120 rounds with POST /responses/compact, also after kill -9', async () => {
    const { log, script } = scriptedProvider(window, 120);
    server.play(script);
    const history: object[] = [];
    let program = await proxyProgram(server, options('responses'), folder);
    for (let pass = 1; pass <= 6; pass++) {
      await responsesLoop({ ...program, history, task, rounds: 20 });
      const { output } = await program.openai.responses.compact({ model: 'm', input: history as never });
      history.splice(0, history.length, ...output);
      if (pass !== 3) continue;
      program.program.process.kill('SIGKILL');
      await program.program.ended;
      program = await proxyProgram(server, options('responses'), folder);
    }
    await responsesLoop({ ...program, history, task });
    const [conversation, ...others] = await program.conversations();
    program.program.process.kill('SIGKILL');
    await program.program.ended;
    expect(others).toEqual([]);
    expect(conversation!.compactions.length).toBeGreaterThan(2);
    expect(JSON.stringify(history.at(-1))).toContain('All done.');
    expect(log.prompts).toHaveLength(121);
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
