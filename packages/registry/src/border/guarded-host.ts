import {
  type ContextEvent,
  type EngineHost,
  type Message,
  PalimpsestError,
  type SummarizeRequest,
  type SummarizeResponse,
  type Summarizer,
} from '@palimpsest/core';
import { maskedJson } from '@palimpsest/core/authoring';
import { foreignEvent } from './foreign-event.ts';
import { foreignRequest } from './foreign-request.ts';
import { maskedFailure } from './masked-error.ts';
import type { Watch } from './watch.ts';

/**
 * Wraps the host for one engine: tracks progress, and ignores events once a deadline has passed. A foreign engine gets
 * a frozen wrapper, so that it cannot replace parts of the host. Its events and summarizer requests are validated,
 * copied and masked.
 */
export function guardedHost(host: EngineHost, engine: string, watch: Watch, trusted: boolean): EngineHost {
  const emit = (event: ContextEvent): void => {
    if (watch.over.aborted) return;
    const told = trusted ? event : foreignEvent(event, engine, host);
    if (told === null) return;
    watch.progress();
    host.emit(told);
  };
  const summarizers = {
    summarizer: host.summarizer && watched(host.summarizer, watch, host, trusted),
    fallbackSummarizer: host.fallbackSummarizer && watched(host.fallbackSummarizer, watch, host, trusted),
  };
  if (trusted) return { ...host, ...summarizers, emit };
  return Object.freeze({
    ...summarizers,
    tokens: Object.freeze({
      countText: (text: string) => host.tokens.countText(text),
      countMessage: (...parameters: Parameters<EngineHost['tokens']['countMessage']>) =>
        host.tokens.countMessage(...parameters),
    }),
    redact: (text: string) => host.redact(text),
    reader: Object.freeze({
      readForeignHandoff: (text: string) => host.reader.readForeignHandoff(text),
      separateSpeech: (message: Message) => host.reader.separateSpeech(message),
    }),
    handoffKey: host.handoffKey,
    isRequest: (...parameters: Parameters<EngineHost['isRequest']>) => host.isRequest(...parameters),
    dialect: host.dialect,
    clock: Object.freeze({
      now: () => host.clock.now(),
      schedule: (callback: () => void, milliseconds: number) => host.clock.schedule(callback, milliseconds),
    }),
    emit,
  });
}

/**
 * Wraps a summarizer so that each call ends when it is answered, cancelled or timed out, even if the summarizer ignores
 * its signal. For a foreign engine, requests are validated and masked, and answers are masked.
 */
function watched(summarizer: Summarizer, watch: Watch, host: EngineHost, trusted: boolean): Summarizer {
  const redact = (text: string): string => host.redact(text);
  return Object.freeze({
    id: trusted ? summarizer.id : redact(summarizer.id),
    contextLength: summarizer.contextLength,
    timeoutMs: summarizer.timeoutMs,
    offline: summarizer.offline,
    async summarize(request: SummarizeRequest): Promise<SummarizeResponse> {
      watch.over.throwIfAborted();
      const controller = new AbortController();
      const sent = trusted ? request : foreignRequest(request, redact);
      try {
        const answer = await endsInTime(request.signal, watch, controller, () =>
          summarizer.summarize({ ...sent, signal: controller.signal }),
        );
        return trusted ? answer : maskedJson(answer, redact);
      } catch (error) {
        throw trusted ? error : maskedFailure(error, redact);
      }
    },
  });
}

function endsInTime<T>(
  signal: AbortSignal | undefined,
  watch: Watch,
  controller: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown): void => {
      controller.abort(reason);
      reject(reason instanceof Error ? reason : new PalimpsestError('ABORTED', 'The summarizer call was cancelled.'));
    };
    const release = watch.hold(() =>
      stop(new PalimpsestError('SUMMARIZER_FAILED', 'The summarizer did not answer in time.', { class: 'network' })),
    );
    const listened = [signal, watch.over].filter((one) => one !== undefined);
    const onAbort = (event: Event): void => stop((event.target as AbortSignal).reason);
    for (const one of listened) one.addEventListener('abort', onAbort);
    controller.signal.addEventListener('abort', done, { once: true });
    function done(): void {
      release();
      for (const one of listened) one.removeEventListener('abort', onAbort);
    }
    const cancelled = listened.find((one) => one.aborted);
    if (cancelled) return stop(cancelled.reason);
    Promise.resolve().then(work).then(resolve, reject).finally(done);
  });
}
