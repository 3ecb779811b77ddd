import type { ContextEvent, EngineHost, Summarizer } from '@palimpsest/core';
import { jsonCopy } from './json-copy.ts';
import type { Watch } from './watch.ts';

/**
 * The host as an engine gets to see it: the same parts, watched for signs of progress, and silent once a deadline has
 * passed. A foreign engine gets a frozen front, so that it cannot replace a part of the user's, and its events are
 * copied, masked and signed with its name.
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
    summarizer: host.summarizer && watched(host.summarizer, watch),
    fallbackSummarizer: host.fallbackSummarizer && watched(host.fallbackSummarizer, watch),
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

function watched(summarizer: Summarizer, watch: Watch): Summarizer {
  return Object.freeze({
    id: summarizer.id,
    contextLength: summarizer.contextLength,
    offline: summarizer.offline,
    async summarize(request: Parameters<Summarizer['summarize']>[0]) {
      const controller = new AbortController();
      const signals = [request.signal, watch.over];
      const onAbort = (): void => controller.abort();
      for (const signal of signals) signal?.addEventListener('abort', onAbort);
      if (signals.some((signal) => signal?.aborted)) onAbort();
      watch.over.throwIfAborted();
      const release = watch.hold();
      try {
        return await summarizer.summarize({ ...request, signal: controller.signal });
      } finally {
        release();
        for (const signal of signals) signal?.removeEventListener('abort', onAbort);
      }
    },
  });
}

/** `null` for what is no event, or is the registry's to say: `emit` never throws, and nobody speaks for the quarantine. */
function foreignEvent(event: ContextEvent, engine: string, host: EngineHost): ContextEvent | null {
  try {
    const copy = jsonCopy(event, 'an event', { mapText: (text) => host.redact(text) }) as ContextEvent;
    return typeof copy?.type === 'string' && copy.type !== 'engine-quarantined' ? { ...copy, engine } : null;
  } catch {
    return null;
  }
}
