/** A controller that several signals abort. */
export interface MergedSignals {
  readonly controller: AbortController;
  /** Stops listening to the signals. Call it when the work is done. */
  readonly release: () => void;
}

/** Returns a controller that aborts with the first of the signals, and can be aborted by itself. */
export function mergeSignals(...signals: readonly (AbortSignal | undefined)[]): MergedSignals {
  const controller = new AbortController();
  const releases = signals.map((signal) => {
    const forward = (): void => controller.abort(signal?.reason);
    if (signal?.aborted) forward();
    signal?.addEventListener('abort', forward, { once: true });
    return () => signal?.removeEventListener('abort', forward);
  });
  return { controller, release: () => releases.forEach((release) => release()) };
}
