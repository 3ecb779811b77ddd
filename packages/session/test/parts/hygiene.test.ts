import { describe, expect, it } from 'vitest';
import { Hygiene } from '../../src/parts/hygiene.ts';

const small = { tokens: 100, messages: 10, roomTokens: 1_000, thresholdTokens: 400 };

function hygiene(idle: { readonly afterMs: number; readonly at: number } | null = null): Hygiene {
  return new Hygiene({ hygieneShare: 0.8, hygieneMessages: 50, idle, cooldownMs: [10, 30] });
}

describe('the hygiene of a chat', () => {
  it('is due at a share of the room, or at a number of messages', () => {
    const chat = hygiene();
    expect(chat.due(small, 0)).toBeNull();
    expect(chat.due({ ...small, tokens: 800 }, 0)).toBe('hygiene');
    expect(chat.due({ ...small, messages: 50 }, 0)).toBe('hygiene');
    expect([chat.isFull(799, 1_000, 0), chat.isFull(800, 1_000, 0)]).toEqual([false, true]);
  });

  it('is due after a pause, at a share of the threshold', () => {
    const chat = hygiene({ afterMs: 60, at: 0.5 });
    expect(chat.due({ ...small, tokens: 200 }, 1_000)).toBeNull();
    chat.noteActivity(1_000);
    expect(chat.due({ ...small, tokens: 200 }, 1_059)).toBeNull();
    expect(chat.due({ ...small, tokens: 200 }, 1_060)).toBe('idle');
    expect(chat.due({ ...small, tokens: 199 }, 1_060)).toBeNull();
    expect(chat.due({ ...small, tokens: 200, thresholdTokens: 0 }, 1_060)).toBeNull();
  });

  it('waits after each failure in a row, the last time again and again, and not after a success', () => {
    const chat = hygiene();
    const full = { ...small, tokens: 900 };
    for (const wait of [10, 30, 30]) {
      chat.noteResult(false, 0);
      expect(chat.due(full, wait - 1)).toBeNull();
      expect(chat.isFull(900, 1_000, wait - 1)).toBe(false);
      expect(chat.due(full, wait)).toBe('hygiene');
    }
    expect(chat.state).toEqual({ failures: 3, until: 30 });
    chat.noteResult(true, 0);
    expect(chat.due(full, 0)).toBe('hygiene');
  });
});
