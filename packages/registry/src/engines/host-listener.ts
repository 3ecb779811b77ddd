import { type ContextEvent, createHost, type EngineHost } from '@palimpsest/core';

/**
 * Returns the host with a second event listener. Errors of listeners are ignored, because `emit` must not throw: an
 * engine must not fail because of a listener.
 */
export function withListener(host: EngineHost, listener: ((event: ContextEvent) => void) | undefined): EngineHost {
  // Not a spread, which would omit the methods if the host is an instance of a class.
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
    // Ignored: see above.
  }
}
