import { describe, expect, it } from 'vitest';
import { TurnLimits } from '../../src/parts/turn-limits.ts';

const rapid = { compactions: 2, requests: 4, withinMs: 1_000 };

/** The limits of a session whose user has made a request. */
function limitsIn(turn: string): TurnLimits {
  const limits = new TurnLimits({ attempts: 3, rapid });
  limits.begin(turn, true);
  return limits;
}

const times = (count: number, act: () => void): void => {
  for (let done = 0; done < count; done++) act();
};

describe('the limits of a user turn', () => {
  it('allow as many attempts in a row as configured, and an answer gives them back', () => {
    const limits = limitsIn('a');
    times(2, () => limits.countAttempt());
    expect(limits.attemptsBlock()).toBeNull();
    limits.countAttempt();
    expect(limits.attemptsBlock()).toMatchObject({ reason: 'attempts' });
    limits.noteAnswer();
    expect(limits.attemptsBlock()).toBeNull();
    expect(limits.attempts).toBe(0);
  });

  it('count the refusals of a turn, which an answer does not give back', () => {
    const limits = limitsIn('a');
    times(3, () => {
      expect(limits.refusalsBlock()).toBeNull();
      limits.countRefusal();
      limits.noteAnswer();
    });
    expect(limits.refusalsBlock()).toMatchObject({ reason: 'attempts' });
    limits.begin('b', true);
    expect(limits.refusalsBlock()).toBeNull();
  });

  it('give a compaction that took effect back after eight answers, and one that did not never', () => {
    const limits = limitsIn('a');
    times(3, () => limits.countModelCall());
    times(20, () => limits.noteAnswer());
    expect(limits.modelBlock(0)).toMatchObject({ reason: 'attempts' });
    limits.noteSuccess(-rapid.withinMs);
    times(7, () => limits.noteAnswer());
    expect(limits.modelBlock(0)).toMatchObject({ reason: 'attempts' });
    limits.noteAnswer();
    expect(limits.modelBlock(0)).toBeNull();
  });

  it('stop compactions that follow each other within few requests and little time', () => {
    const limits = limitsIn('a');
    times(2, () => limits.noteSuccess(100));
    expect(limits.modelBlock(200)).toMatchObject({ reason: 'rapid', retryAt: 1_100 });
    expect(limits.modelBlock(1_100)).toBeNull();
    times(rapid.requests, () => limits.begin('a', false));
    expect(limits.modelBlock(200)).toBeNull();
  });

  it('belong to the turn, also if another conversation runs in between', () => {
    const limits = limitsIn('a');
    times(3, () => limits.countModelCall());
    limits.begin('b', true);
    expect(limits.modelBlock(0)).toBeNull();
    limits.begin('a', false);
    expect(limits.modelBlock(0)).toMatchObject({ reason: 'attempts' });
  });

  it('begin anew when the user repeats a request that was answered', () => {
    const limits = limitsIn('a');
    times(3, () => limits.countModelCall());
    limits.begin('a', true);
    expect(limits.modelBlock(0)).not.toBeNull();
    limits.noteAnswer();
    limits.begin('a', true);
    expect(limits.modelBlock(0)).toBeNull();
  });

  it('report each reason once in a turn', () => {
    const limits = limitsIn('a');
    const block = { reason: 'rapid', message: '', retryAt: null } as const;
    expect([limits.isNewBlock(block), limits.isNewBlock(block)]).toEqual([true, false]);
    limits.begin('b', true);
    expect(limits.isNewBlock(block)).toBe(true);
  });

  it('are forgotten with the conversation', () => {
    const limits = limitsIn('a');
    times(3, () => limits.countModelCall());
    times(3, () => limits.countRefusal());
    times(2, () => limits.noteSuccess(0));
    limits.clear();
    limits.begin('a', false);
    expect([limits.attemptsBlock(), limits.refusalsBlock(), limits.modelBlock(1)]).toEqual([null, null, null]);
  });
});
