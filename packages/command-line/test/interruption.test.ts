import { execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { abortOnInterruption } from '../src/interruption.ts';

afterEach(() => vi.useRealTimers());

/** A process that records how it was ended. Signals are events, as in a real one. */
function program(): { process: NodeJS.Process; stdout: EventEmitter; ended: (number | string)[] } {
  const ended: (number | string)[] = [];
  const stdout = new EventEmitter();
  const process = Object.assign(new EventEmitter(), {
    pid: 1,
    stdout,
    exit: (code: number) => ended.push(code),
    kill: (_: number, signal: string) => ended.push(signal),
  });
  return { process: process as unknown as NodeJS.Process, stdout, ended };
}

it('aborts on the first signal, and ends the process if the command does not end', () => {
  vi.useFakeTimers();
  const { process, ended } = program();
  process.on('exit', (code) => ended.push(`cleaned up for ${code}`));
  const signal = abortOnInterruption(process, 500);
  expect(signal.aborted).toBe(false);
  process.emit('SIGTERM', 'SIGTERM');
  expect(signal.reason).toEqual(new Error('interrupted by SIGTERM'));
  vi.advanceTimersByTime(499);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['cleaned up for 143', 'SIGTERM']);
});

it.skipIf(process.platform === 'win32')('ends a process that waits for a pipe without a writer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pipe-'));
  const [pipe, kept] = [join(folder, 'pipe'), join(folder, 'kept')];
  execFileSync('mkfifo', [pipe]);
  writeFileSync(kept, '');
  const script = `
    const fs = require('node:fs');
    process.on('exit', () => fs.rmSync(${JSON.stringify(kept)}));
    (${abortOnInterruption.toString()})(process, 50);
    fs.readFile(${JSON.stringify(pipe)}, () => {});
    process.stdout.write('ready');`;
  const child = spawn(process.execPath, ['-e', script]);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  const isCleanedUp = !existsSync(kept);
  rmSync(folder, { recursive: true });
  expect({ code, signal, isCleanedUp }).toEqual({ code: null, signal: 'SIGTERM', isCleanedUp: true });
});

it('lets a second signal end the process', () => {
  const { process } = program();
  abortOnInterruption(process, 500);
  process.emit('SIGINT', 'SIGINT');
  expect(process.listenerCount('SIGINT')).toBe(0);
});

it('succeeds when the reader of standard output is gone, and fails when it cannot be written', () => {
  const { process, stdout, ended } = program();
  abortOnInterruption(process, 500);
  stdout.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }));
  stdout.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }));
  expect(ended).toEqual([0, 1]);
});

it('lets a server clean up, and fail, when nobody reads its output', () => {
  const { process, stdout, ended } = program();
  const signal = abortOnInterruption(process, 500, true);
  for (let count = 0; count < 2; count++)
    stdout.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
  expect(signal.aborted).toBe(true);
  expect(process.exitCode).toBe(1);
  expect(ended).toEqual([]);
});
