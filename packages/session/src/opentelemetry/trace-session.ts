import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { checkOptions, methodsRule } from '@palimpsest/core/authoring';
import type { SessionEvent } from '../events/session-event.ts';
import type { Session } from '../session.ts';

/** The open spans, by compaction. */
class OpenSpans {
  readonly #spans = new Map<number | null, Span>();

  get(compaction: number | null): Span | undefined {
    return this.#spans.get(compaction);
  }

  /** The context for a child span. */
  contextOf(compaction: number | null): Context {
    const span = this.#spans.get(compaction);
    return span ? trace.setSpan(context.active(), span) : context.active();
  }

  open(compaction: number | null, span: Span, at: number): void {
    // An earlier span with this number will not get its end event any more.
    this.#spans.get(compaction)?.end(at);
    this.#spans.set(compaction, span);
  }

  /** @returns false when none was open */
  close(compaction: number | null, at: number, attributes: Attributes, failure: string | null): boolean {
    const span = this.#spans.get(compaction);
    if (!span) return false;
    this.#spans.delete(compaction);
    span.setAttributes(attributes);
    if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end(at);
    return true;
  }

  closeAll(): void {
    for (const span of this.#spans.values()) span.end();
    this.#spans.clear();
  }
}

export interface TraceOptions {
  /** @default the tracer "@palimpsest/session" of the global provider */
  readonly tracer?: Tracer | undefined;
}

/**
 * Sends the events of a session to OpenTelemetry: a span for each compaction and each of its summaries. Other events
 * are added to the span of their compaction, or become spans without duration. Attributes are the fields of the
 * event, such as `palimpsest.tokensBefore`, and those of the GenAI conventions that apply: `gen_ai.conversation.id`,
 * `gen_ai.conversation.compacted` and `gen_ai.usage.*`. They contain no conversation text.
 * @returns a function that stops the tracing
 */
export function traceSession(session: Session, options: TraceOptions = {}): () => void {
  checkOptions('traceSession', options, { tracer: methodsRule('a tracer of OpenTelemetry', 'startSpan') });
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

/** Converts the fields of an event to attributes: strings, numbers and booleans unchanged, other values as JSON. */
function attributesOf(event: SessionEvent): Attributes {
  const attributes: Attributes = { ...genAiAttributes(event) };
  for (const [name, value] of Object.entries(event)) {
    if (name === 'type' || name === 'at' || value === null || value === undefined) continue;
    const key = `palimpsest.${name}`;
    attributes[key] =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value);
  }
  return attributes;
}

/**
 * GenAI attributes of an event (semantic conventions 0.1.0, https://github.com/open-telemetry/semantic-conventions-genai).
 * The conventions set `gen_ai.conversation.compacted` on model requests, only if it is true; a session has no such span, so
 * the compaction's span gets it.
 */
function genAiAttributes(event: SessionEvent): Attributes {
  const attributes: Attributes = { 'gen_ai.conversation.id': event.sessionId };
  if (event.type === 'compaction-end' && event.outcome === 'compacted')
    attributes['gen_ai.conversation.compacted'] = true;
  const usage = event.type === 'summary-end' || event.type === 'summary-late' ? event.usage : undefined;
  if (!usage) return attributes;
  attributes['gen_ai.usage.input_tokens'] = usage.promptTokens;
  attributes['gen_ai.usage.output_tokens'] = usage.completionTokens;
  if (usage.cachedTokens !== undefined) attributes['gen_ai.usage.cache_read.input_tokens'] = usage.cachedTokens;
  if (usage.cacheWriteTokens !== undefined)
    attributes['gen_ai.usage.cache_write.input_tokens'] = usage.cacheWriteTokens;
  return attributes;
}
