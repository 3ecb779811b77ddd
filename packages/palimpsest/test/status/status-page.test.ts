import { describe, expect, it } from 'vitest';
import { statusPage, statusPagePolicy } from '../../src/status/status-page.ts';

describe('the status page', () => {
  it('shows what an agent calls itself as text, and loads nothing', () => {
    const hostile = `</title><script src="https://evil.example/x.js"></script><img src=x onerror='1'>\u001b[31m`;
    const page = statusPage(
      [
        {
          id: hostile,
          agent: hostile,
          model: hostile,
          requests: 2,
          sizes: [{ at: 1, tokens: 900, originalTokens: 1_900, windowTokens: 1_000 }],
          compactions: [],
          savedTokens: 1_000,
          sentTokens: 9_000,
          cost: null,
          cachedShare: 0.5,
          lastUsed: 1,
        },
      ],
      hostile,
    );
    expect(page).not.toMatch(/<script|<img|\u001b/);
    expect(page.match(/<(?:link|script|img|iframe|object)/)).toBeNull();
    expect(page).toContain('Now 900 tokens of 1,000, 50 % of the last prompt from the cache.');
    expect(statusPagePolicy).toContain("default-src 'none'");
  });
});
