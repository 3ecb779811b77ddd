import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { interruptionOf } from '../src/interruption.ts';

afterEach(() => vi.useRealTimers());

/** A process that notes how it was ended; signals reach it as events, as they do a real one. */
function program(): { process: NodeJS.Process; stdout: EventEmitter; ended: number[] } {
  const ended: number[] = [];
  const stdout = new EventEmitter();
  const process = Object.assign(new EventEmitter(), { stdout, exit: (code: number) => ended.push(code) });
  return { process: process as unknown as NodeJS.Process, stdout, ended };
}

it('aborts on the first signal, and ends the process when the command does not', () => {
  vi.useFakeTimers();
  const { process, ended } = program();
  const signal = interruptionOf(process, 500);
  expect(signal.aborted).toBe(false);
  process.emit('SIGTERM', 'SIGTERM');
  expect(signal.reason).toEqual(new Error('interrupted by SIGTERM'));
  vi.advanceTimersByTime(499);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([143]);
});

it('takes a second signal to nobody, so that the system ends the process', () => {
  const { process } = program();
  interruptionOf(process, 500);
  process.emit('SIGINT', 'SIGINT');
  expect(process.listenerCount('SIGINT')).toBe(0);
});

it('ends without a failure when the reader of standard output has gone, and with one when it cannot be written', () => {
  const { process, stdout, ended } = program();
  interruptionOf(process, 500);
  stdout.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }));
  stdout.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }));
  expect(ended).toEqual([0, 1]);
});
