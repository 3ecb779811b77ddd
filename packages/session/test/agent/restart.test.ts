import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../../test/bundle-process.ts';
import { packages } from '../../../../test/coding-agent/real-tools.ts';
import { roundsForEach, scriptedModel } from '../../../../test/coding-agent/scripted-model.ts';
import { type LoopbackServer, type Received, startLoopbackServer } from '../../../../test/loopback-server/index.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;
const rounds = deep ? 200 : 75;
/** The agent is killed in the middle of the first request from each of these on in which something is compacted. */
const killedFrom: readonly number[] = deep ? [30, 70, 71, 140] : [40];

const isCompacted = ({ body }: Received): boolean =>
  (body.messages as { content: unknown }[]).some(({ content }) => String(content).startsWith('[CONTEXT HANDOFF'));

let server: LoopbackServer;
let bundle: BundledProcess;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  bundle = await bundleProcess(import.meta.url, './agent-process.ts');
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-restart-'));
});
afterAll(async () => {
  await server.close();
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('an agent that is killed and started again', () => {
  it('continues from the stored state, with the same bytes that it sent before', { timeout: 180_000 }, async () => {
    const { log, script } = scriptedModel(16_000, rounds);
    let running: ChildProcess | undefined;
    const killedAt: number[] = [];
    server.play((request, number) => {
      // The agent reads the sources of this repository, so the size of its requests changes with them.
      if (number >= (killedFrom[killedAt.length] ?? Number.POSITIVE_INFINITY) && isCompacted(request)) {
        killedAt.push(number);
        running?.kill('SIGKILL');
        return { kind: 'close', at: 'start' };
      }
      return script(request);
    });
    const ends: (string | number | null)[] = [];
    let printed = '';
    while (ends.at(-1) !== 0 && ends.length <= killedFrom.length) {
      const args = [bundle.script, server.openaiUrl, folder, packages, String(rounds / roundsForEach)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      running = child;
      printed = '';
      child.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      ends.push(await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code))));
    }
    expect(ends).toEqual([...killedFrom.map(() => 'SIGKILL'), 0]);
    expect(log.rounds).toBe(rounds);
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    for (const at of killedAt) {
      const killed = server.received[at]!;
      const again = server.received[at + 1]!;
      expect(JSON.stringify(again.body.messages)).toBe(JSON.stringify(killed.body.messages));
      // There was a state to continue from.
      expect(isCompacted(again)).toBe(true);
    }
    const numbers = JSON.parse(printed) as number[];
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });
});
