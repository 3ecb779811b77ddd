import { type ContextEvent, createHost, type EngineHost } from '@palimpsest/core';

/**
 * Returns the host with a second event listener. Errors of listeners are ignored, because `emit` must not throw: an
 * engine must not fail because of a listener.
 */
export function withListener(host: EngineHost, listener: ((event: ContextEvent) => void) | undefined): EngineHost {
  return {
    // Not a spread of the host, which would omit the methods if it is an instance of a class.
    ...createHost(host),
    isRequest: (message, index, messages) => host.isRequest(message, index, messages),
    emit(event) {
      attempt(() => host.emit(event));
      attempt(() => listener?.(event));
    },
  };
}

function attempt(tell: () => void): void {
  try {
    tell();
  } catch {
    // Ignored: see above.
  }
}
