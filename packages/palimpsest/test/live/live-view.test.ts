import { describe, expect, it } from 'vitest';
import { TroubleLog } from '../../src/conversations/trouble-log.ts';
import { livePagePolicy } from '../../src/live/page/frame.ts';
import { livePage } from '../../src/live/page/live-page.ts';
import { contextWords, removalWords, savingWords } from '../../src/live/words.ts';
import { compaction, liveConversation, liveViewOf } from './live-samples.ts';

describe('the page of the live view', () => {
  it('shows what an agent calls itself as text, and loads nothing', () => {
    const hostile = `</title><script src="https://evil.example/x.js"></script><img src=x onerror='1'>\u001b[31m`;
    const words = { saved: [hostile], context: hostile, left: hostile };
    const named = { ...liveConversation, title: hostile, words, troubles: [{ words: hostile, times: 1, at: 1 }] };
    const page = livePage(
      { ...liveViewOf([named]), engine: hostile, addresses: hostile, problems: [hostile] },
      'token',
    );
    expect(page).not.toMatch(/<script src|<img|\u001b/);
    expect(page.match(/<(?:link|img|iframe|object)/)).toBeNull();
    expect(livePagePolicy).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self'/,
    );
    expect(livePagePolicy).toMatch(/frame-ancestors 'none'$/);
  });

  it('shows the next compaction as a line, and what left the context', () => {
    const page = livePage(liveViewOf([liveConversation]), 'token');
    expect(page).toMatch(/<line x1="85%".*next compaction at 850 .*window of 1,000/s);
    expect(page).toContain('2 user, 100 tokens: summarized');
    expect(page).toContain('/live/a/messages/1');
  });
});

describe('the words of the live view', () => {
  const compacted = { ...liveConversation, compactions: [compaction, compaction, compaction], savedTokens: 12_000 };

  it('say what was saved, against what, from figures that the proxy has', () => {
    expect(savingWords(liveConversation, true)).toEqual([
      'Nothing was compacted yet, in 2 requests: the model gets the whole history.',
    ]);
    const [tooLong, sent] = savingWords(compacted, true);
    expect(tooLong).toBe('Without compaction, 1 of 2 requests would not have fit the window.');
    expect(sent).toBe('3 compactions saved 57 % of the prompt tokens: 9,000 were sent instead of 21,000.');
    const words = (paid: number, uncompacted: number) =>
      savingWords({ ...compacted, cost: { paid, uncompacted } }, true)[2];
    expect(words(1, 4.104)).toBe('It cost 76 % less: $1.00 instead of $4.10, summaries included.');
    expect(words(4, 4.104)).toBe(
      `It cost 3 % less: $4.00 instead of $4.10, summaries included. Most of what was not sent would have come cheaply from the provider's cache.`,
    );
    expect(words(4.104, 1)).toBe(
      `It cost $4.10 instead of $1.00, summaries included: after a compaction, the provider has to cache the new prompt.`,
    );
    expect(savingWords(compacted, false)[2]).toContain(
      'What that cost is unknown: no list price of m; give it with --price.',
    );
    expect(savingWords(compacted, true)[2]).toContain('What that cost is unknown: the provider reports no usage.');
  });

  it('say what the context holds, and when it is compacted', () => {
    const words = contextWords({ ...liveConversation, compactsAt: 850, mode: 'automatic' });
    expect(words).toBe(
      "The context holds 900 of 1,000 tokens (90 %), 50 % of it from the provider's cache. The next compaction is at 850.",
    );
    expect(contextWords({ ...liveConversation, compactsAt: 990, mode: 'paused' })).toContain(
      'It is compacted only when it no longer fits, above 990.',
    );
    expect(removalWords(liveConversation.left)).toBe(
      '130 tokens of 2 messages left the context: 100 summarized, 30 cut from results. The agent itself keeps its whole history.',
    );
    expect(removalWords([])).toBeNull();
  });
});

describe('the refusals and failures of a conversation', () => {
  it('are sentences, the newest first, counted when they repeat', () => {
    const log = new TroubleLog();
    const common = { sessionId: 'a', compaction: null } as const;
    const refused = { ...common, type: 'request-refused', limitTokens: null, attempt: 1 } as const;
    for (const at of [1, 2]) log.note({ ...refused, class: 'server', action: 'none', status: 529, at });
    log.note({ ...refused, class: 'payload-too-large', action: 'compact', status: 413, at: 3 });
    log.note({
      ...common,
      type: 'summary-end',
      engine: 'e',
      summarizer: 's',
      durationMs: 1,
      failure: 'timeout',
      at: 4,
    });
    log.note({ ...common, type: 'compaction-start', engine: 'e', messages: 1, tokens: 1, at: 5 });
    expect(log.newest).toEqual([
      { words: 'The model wrote no summary: timeout.', times: 1, at: 4 },
      {
        words: 'The provider refused a request with 413 (the request was too large); it was sent again, compacted.',
        times: 1,
        at: 3,
      },
      {
        words: 'The provider refused a request with 529 (it failed or is overloaded); the agent got the refusal.',
        times: 2,
        at: 2,
      },
    ]);
  });
});
