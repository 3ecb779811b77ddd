import Anthropic from '@anthropic-ai/sdk';
import { anthropicSummarizer } from '@palimpsest/summary/anthropic';
import { openaiSummarizer } from '@palimpsest/summary/openai';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../test/loopback-server/index.ts';
import { retryDelay } from '../src/calls.ts';
import { createTrajectoryCompactor, isSyntheticTurn, type TrajectoryOptions } from '../src/index.ts';
import { generatedRow, randomNumbers } from './generated-rows.ts';
import { summaryAnswer as answer } from './summary-answer.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const rowOf = (id: number) =>
  (JSON.parse(generatedRow(randomNumbers(id), id, 30_000)) as { conversations: { from: string; value: string }[] })
    .conversations;

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const clients: Readonly<Record<string, () => NonNullable<TrajectoryOptions['summarizer']>>> = {
  openai: () => openaiSummarizer({ model: 'm', client: new OpenAI({ apiKey: 'k', baseURL: server.openaiUrl }) }),
  anthropic: () =>
    anthropicSummarizer({ model: 'm', client: new Anthropic({ apiKey: 'k', baseURL: server.anthropicUrl }) }),
};
const compactorFor = (client: string, options: TrajectoryOptions = {}) =>
  createTrajectoryCompactor({
    targetTokens: 2_500,
    countTokens,
    retryDelayMs: 20,
    summarizer: clients[client]!(),
    ...options,
  });

for (const client of Object.keys(clients))
  describe(`the ${client} client against a real server`, () => {
    it('makes one call if it succeeds', async () => {
      server.play(() => answer);
      const { turns, metrics } = await (await compactorFor(client)).compact(rowOf(1));
      expect(metrics).toMatchObject({ outcome: 'compacted', calls: 1, retries: 0, errors: 0, stillOverLimit: false });
      expect(turns.some(isSyntheticTurn)).toBe(true);
    });

    it('waits at least as long as a 429 response asks', async () => {
      const arrivals: number[] = [];
      server.play((_, number) => {
        arrivals.push(performance.now());
        return number === 0 ? { kind: 'status', status: 429, retryAfterSeconds: 1 } : answer;
      });
      const { metrics } = await (await compactorFor(client)).compact(rowOf(2));
      expect(metrics).toMatchObject({ outcome: 'compacted', calls: 2, retries: 1, errors: 1 });
      expect(arrivals[1]! - arrivals[0]!).toBeGreaterThanOrEqual(990);
    });

    it('retries after 5xx, a broken connection and a web page', async () => {
      server.play([
        { kind: 'status', status: 500 },
        { kind: 'status', status: 529 },
        { kind: 'close', at: 'middle' },
        { kind: 'html' },
        answer,
      ]);
      const { metrics } = await (await compactorFor(client)).compact(rowOf(3));
      expect(metrics).toMatchObject({ outcome: 'compacted', calls: 5, retries: 4, errors: 4 });
    });

    it('retries after a timeout', async () => {
      server.play([{ kind: 'stall', at: 'start' }, { kind: 'stall', at: 'middle' }, answer]);
      const { metrics } = await (await compactorFor(client, { callTimeoutMs: 1_000 })).compact(rowOf(4));
      expect(metrics).toMatchObject({ outcome: 'compacted', calls: 3, retries: 2, errors: 2 });
    });

    it('leaves the trajectory unchanged after the last retry, and reports the failure', async () => {
      server.play(() => ({ kind: 'status', status: 503 }));
      const turns = rowOf(5);
      const { turns: after, metrics } = await (await compactorFor(client, { retries: 3 })).compact(turns);
      expect(after).toBe(turns);
      expect(metrics).toMatchObject({
        outcome: 'summary-failed',
        wasCompacted: false,
        stillOverLimit: true,
        calls: 4,
        retries: 3,
        errors: 4,
        failure: { class: 'transient', message: expect.stringContaining('503') },
      });
    });

    it('does not retry a permanent failure', async () => {
      server.play(() => ({ kind: 'status', status: 401 }));
      const { metrics } = await (await compactorFor(client)).compact(rowOf(6));
      expect(metrics).toMatchObject({ outcome: 'summary-failed', calls: 1, errors: 1, failure: { class: 'access' } });
    });

    it('does not start a delay that would exceed the timeout of the trajectory', async () => {
      server.play(() => ({ kind: 'status', status: 429, retryAfterSeconds: 60 }));
      const started = performance.now();
      const { metrics } = await (await compactorFor(client, { timeoutMs: 5_000 })).compact(rowOf(7));
      expect(metrics).toMatchObject({ outcome: 'summary-failed', calls: 1 });
      expect(performance.now() - started).toBeLessThan(4_000);
    });

    it('never exceeds the limit on concurrent calls', async () => {
      let [open, most] = [0, 0];
      server.play(() => answer);
      const summarizer = clients[client]!();
      const compactor = await compactorFor(client, {
        concurrency: 3,
        summarizer: {
          ...summarizer,
          async summarize(request) {
            most = Math.max(most, ++open);
            return summarizer.summarize(request).finally(() => open--);
          },
        },
      });
      const results = await Promise.all(Array.from({ length: 12 }, (_, id) => compactor.compact(rowOf(id))));
      expect(results.every(({ metrics }) => metrics.outcome === 'compacted')).toBe(true);
      expect(most).toBe(3);
    });

    it('ends when the caller aborts', async () => {
      server.play(() => ({ kind: 'stall', at: 'start' }));
      const controller = new AbortController();
      const pending = (await compactorFor(client)).compact(rowOf(8), { signal: controller.signal });
      await server.arrival(1);
      controller.abort();
      const { metrics } = await pending;
      expect(metrics).toMatchObject({ outcome: 'summary-failed', failure: { class: 'cancelled' } });
    });
  });

describe('the delay before a retry', () => {
  it('stays within its limits and is not shorter than Retry-After', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        (attempt, firstMs, retryAfterMs) => {
          const delay = retryDelay(attempt, firstMs, retryAfterMs);
          const step = Math.min(firstMs * 2 ** (attempt - 1), 30_000);
          if (retryAfterMs > 0) expect(delay).toBeGreaterThanOrEqual(retryAfterMs);
          else expect(delay).toBeGreaterThanOrEqual(step / 2);
          expect(delay).toBeLessThanOrEqual(retryAfterMs + step);
        },
      ),
    );
  });

  it('is random', () => {
    expect(new Set(Array.from({ length: 20 }, () => retryDelay(3, 1_000, 0))).size).toBeGreaterThan(10);
  });
});
