import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { widthOf } from '@palimpsest/command-line/text-width';
import { createColors } from 'picocolors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { readKey } from '../../src/live/terminal/keyboard.ts';
import { readLiveViews } from '../../src/live/terminal/proxies.ts';
import { type ScreenState, screen } from '../../src/live/terminal/screen.ts';
import { programCommand, runningProgram } from '../program/running-program.ts';
import { chatLoop } from '../proxy/agent-loops.ts';
import { type RunningProxy, runningProxy } from '../proxy/running-proxy.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';
import { liveConversation } from './live-samples.ts';

const plain = createColors(false);
const other = { ...liveConversation, id: 'b', title: 'codex/1.0, gpt-5', mode: 'paused', socket: '/s' } as const;
const state: ScreenState = {
  view: { proxies: 1, now: 3_000, problems: [], conversations: [{ ...liveConversation, socket: '/s' }, other] },
  selected: null,
  said: null,
  query: null,
};

describe('the screen of palimpsest top', () => {
  it.each([60, 120])('fits %d columns, and needs no colours', (columns) => {
    const text = screen({ ...state, query: 'words' }, columns, plain, true);
    expect(widthOf(text)).toBeLessThanOrEqual(columns);
    expect(text).not.toContain('\u001b');
    expect(text).toMatch(
      /\[i+h+t+\|t*\.*\]\ni instructions and tools, t tool results, h handoff, \| next\s+compaction/,
    );
    expect(text).toMatch(/^> agent\/1\.0, m {2}900 of 1,000 {2}0 compactions$/m);
    expect(text).toContain('Search: words_');
  });

  it('says what to do where nothing runs', () => {
    const none = { ...state, view: { ...state.view, conversations: [] } };
    expect(screen(none, 100, plain, false)).toMatch(/^No conversation yet/);
    expect(screen({ ...none, view: { ...none.view, proxies: 0 } }, 100, plain, false)).toContain('palimpsest run');
  });
});

describe('the keys of palimpsest top', () => {
  it('choose, act and search', () => {
    expect(readKey(state, { name: 'c' })).toEqual({ do: 'act', name: 'compact' });
    expect(readKey(state, { name: 'u' })).toEqual({ do: 'act', name: 'undo' });
    expect(readKey(state, { name: 'p' })).toEqual({ do: 'act', name: 'pause' });
    const down = readKey(state, { name: 'down' });
    expect(down).toMatchObject({ state: { selected: 'b' } });
    expect(readKey({ ...state, selected: 'b' }, { name: 'p' })).toEqual({ do: 'act', name: 'resume' });
    const typing = { ...state, query: 'q' };
    expect(readKey(typing, { name: 'c', sequence: 'c' })).toMatchObject({ state: { query: 'qc' } });
    expect(readKey(typing, { name: 'return' })).toEqual({ do: 'search', query: 'q' });
    expect(readKey(typing, { name: 'escape' })).toMatchObject({ state: { query: null } });
    for (const key of [{ name: 'q' }, { name: 'c', ctrl: true }]) expect(readKey(state, key)).toEqual({ do: 'quit' });
  });
});

describe('palimpsest top', () => {
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-top-'));
  let server: LoopbackServer;
  let running: RunningProxy;
  beforeAll(async () => {
    server = await startLoopbackServer();
    server.play(scriptedProvider(32_000, 100).script);
    running = await runningProxy(server, { home });
    await chatLoop({ ...running, history: [], task: 'Tell no one of the heron.', rounds: 60 });
  });
  afterAll(async () => {
    await running.proxy.close();
    await server.close();
    rmSync(home, { recursive: true });
  });

  it('prints the conversations of running proxies once in a pipe, without text and colours', async () => {
    const program = runningProgram(['top'], { cwd: home });
    expect(await program.ended).toBe(0);
    expect(program.stdout).toMatch(
      /^OpenAI\/JS, m .*\n.*\d+\s+compactions?\s+saved \d+ %\s+of\s+the\s+prompt\s+tokens:\s+[\d,]+/s,
    );
    expect(program.stdout).not.toMatch(/heron|\u001b/);
  });

  it.skipIf(!existsSync('/usr/bin/script'))('acts by keys in a terminal, and leaves it as it was', async () => {
    const command = programCommand.map((part) => `'${part}'`).join(' ');
    const child = spawn('/usr/bin/script', ['-qec', `stty cols 60 rows 50; ${command} top`, '/dev/null'], {
      cwd: home,
      env: { ...process.env, HOME: home, NO_COLOR: '1', TERM: 'xterm' },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const written = async (text: RegExp): Promise<void> => {
      while (!text.test(output)) await new Promise((resolve) => child.stdout.once('data', resolve));
      output = '';
    };
    await written(/The context holds/);
    child.stdin.write('p');
    await written(/Paused: nothing is compacted/);
    expect((await readLiveViews(home)).conversations[0]!.mode).toBe('paused');
    child.stdin.write('p');
    await written(/Resumed:/);
    child.stdin.write('/heron');
    await written(/Search: heron_/);
    child.stdin.write('\r');
    await written(/Tell no one of the heron/);
    child.stdin.write('q');
    const [code] = await new Promise<[number]>((resolve) => child.once('close', (ended: number) => resolve([ended])));
    expect(code).toBe(0);
    expect(output).toContain('\u001b[?1049l');
  });
});
