import { type Tracer, trace } from '@opentelemetry/api';
import type { Session } from '../session.ts';
import { attributesOf } from './event-attributes.ts';
import { OpenSpans } from './open-spans.ts';

export interface TraceOptions {
  /** @default the tracer "@palimpsest/session" of the global provider */
  readonly tracer?: Tracer | undefined;
}

/**
 * Sends the events of a session to OpenTelemetry: a span for each compaction and each of its summaries. Other events
 * are added to the span of their compaction, or become spans without duration. Attributes are the fields of the
 * event, such as `palimpsest.tokensBefore`. They contain no conversation text.
 * @returns a function that stops the tracing
 */
export function traceSession(session: Session, options: TraceOptions = {}): () => void {
  const tracer = options.tracer ?? trace.getTracer('@palimpsest/session');
  const compactions = new OpenSpans();
  const summaries = new OpenSpans();
  const stop = session.on((event) => {
    const { type, at, compaction } = event;
    const attributes = attributesOf(event);
    switch (type) {
      case 'compaction-start':
        compactions.open(compaction, tracer.startSpan('palimpsest.compaction', { startTime: at, attributes }), at);
        return;
      case 'compaction-end':
        compactions.close(compaction, at, attributes, null);
        return;
      case 'compaction-failed':
        if (compactions.close(compaction, at, attributes, event.reason)) return;
        break;
      case 'summary-start': {
        const parent = compactions.contextOf(compaction);
        summaries.open(compaction, tracer.startSpan('palimpsest.summary', { startTime: at, attributes }, parent), at);
        return;
      }
      case 'summary-end':
        summaries.close(compaction, at, attributes, event.failure);
        return;
      default:
    }
    const name = `palimpsest.${type}`;
    const span = compactions.get(compaction);
    if (span) span.addEvent(name, attributes, at);
    else tracer.startSpan(name, { startTime: at, attributes }).end(at);
  });
  return () => {
    stop();
    compactions.closeAll();
    summaries.closeAll();
  };
}
