import type { Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { rulesStatedIn } from '../../src/validity/spoken-rules.ts';

describe('rules that users state', () => {
  it('are found in messages that people write, not in messages of a harness', () => {
    const spoken: readonly Message[] = [
      { role: 'user', content: 'Fix the parser.\n- Never change the public API of it.\nWhy do you always ask?' },
      { role: 'assistant', content: 'You must never do that by hand.' },
      { role: 'user', content: `OBSERVATION: you must never see this as a rule of mine` },
    ];
    expect(rulesStatedIn(spoken)).toEqual(['Never change the public API of it.']);
  });
});
