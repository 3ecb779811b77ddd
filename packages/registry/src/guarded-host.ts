import type { ContextEvent, EngineHost, Summarizer } from '@palimpsest/core';
import { jsonCopy } from './json-copy.ts';
import type { Watch } from './watch.ts';

/**
 * The host as an engine gets to see it: the same parts, watched for signs of progress. A foreign engine gets a frozen
 * front, so that it cannot replace a part of the user's, and its events are copied, masked and signed with its name.
 */
export function guardedHost(host: EngineHost, engine: string, watch: Watch, trusted: boolean): EngineHost {
  const emit = (event: ContextEvent): void => {
    watch.progress();
    host.emit(trusted ? event : foreignEvent(event, engine, host));
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
      const release = watch.hold();
      try {
        return await summarizer.summarize(request);
      } finally {
        release();
      }
    },
  });
}

function foreignEvent(event: ContextEvent, engine: string, host: EngineHost): ContextEvent {
  const copy = jsonCopy(event, `an event of engine "${engine}"`, { mapText: (text) => host.redact(text) });
  return { ...(copy as ContextEvent), engine };
}
