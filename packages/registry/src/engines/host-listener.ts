import { type ContextEvent, createHost, type EngineHost } from '@palimpsest/core';

/**
 * Returns the host with a second event listener. Errors of listeners are ignored, because `emit` must not throw: an
 * engine must not fail because of a listener.
 */
export function withListener(host: EngineHost, listener: ((event: ContextEvent) => void) | undefined): EngineHost {
  // Not a spread: it would lose the methods of a class and copy a summarizer that may change.
  return Object.assign(createHost(host), {
    isFromPerson: host.isFromPerson.bind(host),
    emit(event: ContextEvent) {
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
