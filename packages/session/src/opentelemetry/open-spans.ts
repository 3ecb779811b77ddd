import { type Attributes, type Context, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

/** The open spans, by compaction. */
export class OpenSpans {
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
