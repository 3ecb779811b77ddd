import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Message } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { call, callsWithResults, createScriptedSummarizer, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { traceSession } from '../../src/opentelemetry.ts';
import { makeSession, turns } from '../make-session.ts';

const history: Message[] = turns(20);

function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { exporter, tracer: provider.getTracer('test') };
}

describe('traceSession', () => {
  it('creates a span for each compaction, with the summary inside, and a point in time for every other event', async () => {
    const { exporter, tracer } = tracing();
    const { session, clock } = makeSession();
    const stop = traceSession(session, { tracer });
    clock.advance(1_234);
    await session.beforeRequest(history);
    await session.undo();
    stop();
    await session.compact();
    const spans = exporter.getFinishedSpans();
    const named = (name: string) => spans.filter((span) => span.name === name);
    const [compress] = named('palimpsest.compaction');
    const [summary] = named('palimpsest.summary');
    expect(named('palimpsest.compaction').length).toBe(1);
    expect(compress!.attributes).toMatchObject({
      'palimpsest.sessionId': 'session-under-test',
      'palimpsest.compaction': 1,
      'palimpsest.outcome': 'compacted',
      'gen_ai.conversation.id': 'session-under-test',
      'gen_ai.conversation.compacted': true,
    });
    expect(compress!.attributes['palimpsest.tokensAfter']).toBeLessThan(
      compress!.attributes['palimpsest.tokensBefore'] as number,
    );
    expect(compress!.startTime[0]).toBe(Math.floor(clock.now() / 1_000));
    expect(summary!.parentSpanContext?.spanId).toBe(compress!.spanContext().spanId);
    expect(compress!.events.map(({ name }) => name)).toContain('palimpsest.compaction-phase');
    expect(named('palimpsest.checkpoint-commit')[0]!.attributes).toMatchObject({ 'palimpsest.checkpoint': 1 });
    expect(named('palimpsest.checkpoint-undo').length).toBe(1);
    expect(
      JSON.stringify(spans.map(({ attributes, events }) => [attributes, events.map((event) => event.attributes)])),
    ).not.toContain('value_3');
  });

  it('tells what the agent did after a compaction, in dollars where prices are known, at the latest at the end', async () => {
    const { exporter, tracer } = tracing();
    const written = createScriptedSummarizer(writeShortSummary);
    const usage = { promptTokens: 1_000, completionTokens: 100 };
    const summarizer = {
      ...written,
      summarize: async (asked: never) => ({ ...(await written.summarize(asked)), usage }),
    };
    const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const known: Readonly<Record<string, typeof prices>> = { 'test-model': prices, scripted: prices };
    const { session } = makeSession({ summarizer, prices: (model) => known[model] ?? null });
    traceSession(session, { tracer });
    const messages = [...history];
    await session.beforeRequest(messages);
    session.afterResponse({ promptTokens: 2_000, completionTokens: 10, cachedTokens: 0 });
    const { tokensBefore, tokensAfter } = session.records()[0]!;
    messages.push(...callsWithResults([call('again', 'read_file', { path: 'src/file-3.ts' }), 'ok']));
    await session.beforeRequest(messages);
    session.afterResponse({ promptTokens: 2_100, completionTokens: 10, cachedTokens: 2_000 });
    await session.end();
    const [span] = exporter.getFinishedSpans().filter(({ name }) => name === 'palimpsest.compaction-aftermath');
    const [page] = exporter.getFinishedSpans().filter(({ name }) => name === 'palimpsest.summary');
    expect(page!.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 100 });
    expect(page!.attributes).not.toHaveProperty('gen_ai.conversation.compacted');
    const removed = tokensBefore - tokensAfter;
    const paid = (2_000 * 3 + 100 * 3 + 2_000 * 0.3 + 20 * 15) / 1e6;
    const { dollars } = session.records()[0]!;
    expect(dollars).toEqual({
      summaries: expect.closeTo((1_000 * 3 + 100 * 15) / 1e6, 9),
      paid: expect.closeTo(paid, 9),
      // Uncached at first, because nothing was known of the cache; then it would have been.
      uncompacted: expect.closeTo(paid + (removed * 3 + removed * 0.3) / 1e6, 9),
    });
    expect(span!.attributes).toMatchObject({
      'palimpsest.checkpoint': 1,
      'palimpsest.repeatedCalls': 1,
      'palimpsest.summaryDollars': dollars!.summaries,
      'palimpsest.paidDollars': dollars!.paid,
      'palimpsest.uncompactedDollars': dollars!.uncompacted,
    });
    expect((await pricedWithout()).dollars).toBeNull();
  });

  /** The record of a session that does not know prices. */
  async function pricedWithout() {
    const { session } = makeSession();
    await session.beforeRequest(history);
    return session.records()[0]!;
  }

  it('reports failures', async () => {
    const { exporter, tracer } = tracing();
    const failing = makeSession({ summarizer: createScriptedSummarizer({ failure: 'status', status: 400 }) });
    traceSession(failing.session, { tracer });
    await failing.session.beforeRequest(history);
    const broken = makeSession({
      engine: (host) =>
        createEngine(
          {
            initial: {},
            budget: ({ contextLength }) => ({
              contextLength,
              usableTokens: contextLength,
              thresholdTokens: 1_000,
              tailTokens: 0,
              summaryTokens: 0,
            }),
            plan: () => Promise.reject(new Error('broken')),
          },
          host,
          { name: 'broken', stateVersion: 1 },
        ),
    });
    traceSession(broken.session, { tracer });
    await broken.session.beforeRequest(history);
    const failed = exporter.getFinishedSpans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failed.map(({ name }) => name)).toContain('palimpsest.summary');
    expect(failed.map(({ name }) => name)).toContain('palimpsest.compaction');
  });
});
