import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Message } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { scriptedSummarizer } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { traceSession } from '../../src/opentelemetry.ts';
import { makeSession, turn } from '../make-session.ts';

const history: Message[] = Array.from({ length: 20 }, (_, index) => turn(index)).flat();

function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { exporter, tracer: provider.getTracer('test') };
}

describe('traceSession', () => {
  it('creates a span for each compression, with the summary inside, and a point in time for every other event', async () => {
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
    const [compress] = named('palimpsest.compress');
    const [summary] = named('palimpsest.summary');
    expect(named('palimpsest.compress').length).toBe(1);
    expect(compress!.attributes).toMatchObject({
      'palimpsest.sessionId': 'session-under-test',
      'palimpsest.compaction': 1,
      'palimpsest.outcome': 'compressed',
    });
    expect(compress!.attributes['palimpsest.tokensAfter']).toBeLessThan(
      compress!.attributes['palimpsest.tokensBefore'] as number,
    );
    expect(compress!.startTime[0]).toBe(Math.floor(clock.now() / 1_000));
    expect(summary!.parentSpanContext?.spanId).toBe(compress!.spanContext().spanId);
    expect(compress!.events.map(({ name }) => name)).toContain('palimpsest.compress-phase');
    expect(named('palimpsest.checkpoint-commit')[0]!.attributes).toMatchObject({ 'palimpsest.checkpoint': 1 });
    expect(named('palimpsest.checkpoint-undo').length).toBe(1);
    expect(
      JSON.stringify(spans.map(({ attributes, events }) => [attributes, events.map((event) => event.attributes)])),
    ).not.toContain('value_3');
  });

  it('reports failures', async () => {
    const { exporter, tracer } = tracing();
    const failing = makeSession({ summarizer: scriptedSummarizer({ failure: 'status', status: 400 }) });
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
    expect(failed.map(({ name }) => name)).toContain('palimpsest.compress');
  });
});
