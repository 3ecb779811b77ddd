import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../../test/bundle-process.ts';
import { packages } from '../../../../test/coding-agent/real-tools.ts';
import { roundsForEach, scriptedModel } from '../../../../test/coding-agent/scripted-model.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;
const rounds = deep ? 200 : 75;
/** Requests in the middle of which the agent is killed. */
const killedAt: readonly number[] = deep ? [30, 70, 71, 140] : [40];

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
    server.play((request, number) => {
      if (killedAt.includes(number)) {
        running?.kill('SIGKILL');
        return { kind: 'close', at: 'start' };
      }
      return script(request);
    });
    const ends: (string | number | null)[] = [];
    let printed = '';
    while (ends.at(-1) !== 0 && ends.length <= killedAt.length) {
      const args = [bundle.script, server.openaiUrl, folder, packages, String(rounds / roundsForEach)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      running = child;
      printed = '';
      child.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      ends.push(await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code))));
    }
    expect(ends).toEqual([...killedAt.map(() => 'SIGKILL'), 0]);
    expect(log.rounds).toBe(rounds);
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    for (const at of killedAt) {
      const killed = server.received[at]!.body.messages as object[];
      const again = server.received[at + 1]!.body.messages as object[];
      expect(JSON.stringify(again)).toBe(JSON.stringify(killed));
      // There was a state to continue from.
      expect(JSON.stringify(again)).toContain('[CONTEXT HANDOFF');
    }
    const numbers = JSON.parse(printed) as number[];
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });
});
