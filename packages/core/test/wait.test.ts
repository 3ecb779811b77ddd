import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { orAborted, withinDeadline } from '../src/authoring.ts';

const endless = new Promise<never>(() => undefined);

describe('orAborted', () => {
  it.each([false, true])(
    'rejects with the reason of the signal, also of one that was aborted before: %s',
    async (isBefore) => {
      const controller = new AbortController();
      if (isBefore) controller.abort('stopped');
      const waiting = orAborted(endless, controller.signal);
      controller.abort('stopped');
      await expect(waiting).rejects.toBe('stopped');
    },
  );

  it('returns what the work returns, and leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(orAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    expect(await orAborted(Promise.resolve(2), undefined)).toBe(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('withinDeadline', () => {
  it('rejects when the time is over, and keeps no timer after the work', async () => {
    const timers = new Set<() => void>();
    const clock = {
      now: () => 0,
      schedule: (callback: () => void) => {
        timers.add(callback);
        return () => void timers.delete(callback);
      },
    };
    const late = withinDeadline(() => endless, 50, clock);
    for (const expire of timers) expire();
    await expect(late).rejects.toThrow('It did not answer within 50 ms.');
    timers.clear();
    expect(await withinDeadline(() => 1, 50, clock)).toBe(1);
    await expect(withinDeadline(() => Promise.reject(new Error('broken')), 50, clock)).rejects.toThrow('broken');
    expect([...timers]).toEqual([]);
  });
});
