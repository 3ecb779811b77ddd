import type { EngineHost, SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';
import { classifyError, ownFailure, type SummaryFailure } from './summary-failure.ts';

/** The circumstances of a call. */
export interface CallContext {
  readonly host: EngineHost;
  /** Name of the engine, for events. */
  readonly engine: string;
  readonly signal?: AbortSignal | undefined;
  /** @default 120_000 */
  readonly timeoutMs?: number | undefined;
}

export type CallOutcome = { readonly response: SummarizeResponse } | { readonly failure: SummaryFailure };

/**
 * Calls a summarizer once. Never rejects. The timeout and the caller's signal end the call even if the summarizer
 * ignores its own signal. Removes its timer and listener.
 */
export async function callSummarizer(
  summarizer: Summarizer,
  request: Omit<SummarizeRequest, 'signal'>,
  { host, engine, signal, timeoutMs: callTimeoutMs = 120_000 }: CallContext,
): Promise<CallOutcome> {
  const cancelled = { failure: ownFailure('cancelled', 'the caller cancelled') };
  if (signal?.aborted) return cancelled;
  const startedAt = host.clock.now();
  const timeoutMs = summarizer.timeoutMs ?? callTimeoutMs;
  const id = host.redact(summarizer.id);
  host.emit({ type: 'summary-start', engine, summarizer: id, budgetTokens: Math.round(request.budgetTokens) });
  const controller = new AbortController();
  let end: (outcome: CallOutcome) => void = () => undefined;
  const ended = new Promise<CallOutcome>((resolve) => {
    end = resolve;
  });
  const onAbort = (): void => {
    end(cancelled);
    controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const stopTimer = summarizer.offline
    ? () => undefined
    : host.clock.schedule(() => {
        end({ failure: ownFailure('transient', `no answer within ${Math.round(timeoutMs / 1000)} s`) });
        controller.abort();
      }, timeoutMs);
  try {
    const call = Promise.resolve()
      .then(() => summarizer.summarize({ ...request, signal: controller.signal }))
      .then(
        (response): CallOutcome => ({ response }),
        (error: unknown): CallOutcome => ({ failure: classifyError(error) }),
      );
    const outcome = await Promise.race([call, ended]);
    const { usage, writer } = 'response' in outcome ? outcome.response : {};
    host.emit({
      type: 'summary-end',
      engine,
      summarizer: writer === undefined ? id : host.redact(writer),
      durationMs: host.clock.now() - startedAt,
      failure: 'failure' in outcome ? outcome.failure.class : null,
      ...(usage ? { usage } : {}),
    });
    return outcome;
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}
