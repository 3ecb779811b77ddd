import type { SummarizeRequest, SummarizeResponse } from '@palimpsest/core';
import { expect, it } from 'vitest';
import type { AnsweredRequest } from '../../src/conversation/last-request.ts';
import { PageWriter, type PageWriterParts } from '../../src/pages/page-writer.ts';

it('numbers the report of a page that outlives its plan', async () => {
  let planned: number | null = 3;
  const told: unknown[] = [];
  let answer = (_: SummarizeResponse): void => undefined;
  const askCached = () => new Promise<SummarizeResponse>((resolve) => (answer = resolve));
  const size = { tokens: 10, estimatedTokens: 0 };
  const current = {
    sent: { model: 'm', size },
    source: { maxTokens: undefined, hasRoom: true, askCached },
    answeredAt: 0,
    cachedShare: null,
  } as unknown as AnsweredRequest;
  const writer = new PageWriter(null, {
    compacting: () => [],
    clock: { now: () => 0, schedule: () => () => undefined },
    events: {
      get planned() {
        return planned;
      },
      publish: ({ type }, compaction) => told.push([type, compaction]),
    },
    redact: (text) => text,
    lastRequest: { current },
    newerThan: () => 0,
    noteLate: () => undefined,
    model: () => ({ id: 'm', isExceeded: () => false }) as unknown as ReturnType<PageWriterParts['model']>,
  });
  const request = { instruction: 'Write.', prompt: 'Write.', budgetTokens: 100, material: { messages: [] } };
  const page = writer.summarize(request as unknown as SummarizeRequest);
  await Promise.resolve();
  planned = null;
  answer({ text: 'The page.' });
  expect((await page).text).toBe('The page.');
  expect(told).toEqual([['summary-from-cache', 3]]);
});
