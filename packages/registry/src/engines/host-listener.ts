import { type ContextEvent, createHost, type EngineHost } from '@palimpsest/core';

/**
 * The host with a second listener to its events. What a listener throws is lost: the contract of `emit` says that it
 * does not throw, and an engine should not pay when it does.
 */
export function withListener(host: EngineHost, listener: ((event: ContextEvent) => void) | undefined): EngineHost {
  // Part by part: a host may be an instance of a class, whose methods a spread would leave behind.
  return createHost({
    tokens: host.tokens,
    redact: (text) => host.redact(text),
    reader: host.reader,
    isRequest: (message, index, messages) => host.isRequest(message, index, messages),
    dialect: host.dialect,
    clock: host.clock,
    summarizer: host.summarizer,
    fallbackSummarizer: host.fallbackSummarizer,
    handoffKey: host.handoffKey,
    emit(event) {
      attempt(() => host.emit(event));
      attempt(() => listener?.(event));
    },
  });
}

function attempt(tell: () => void): void {
  try {
    tell();
  } catch {
    // Lost, as said above.
  }
}
