import type { EngineSettings } from 'palimpsest/comparison/engine-settings';
import type { Workers } from './workers.ts';

/** Above this duration of a run nothing is prefetched, because the user's next query might have to wait for it. */
const longestMs = 1_000;
const restMs = 300;

/** Computes likely next results while the workers are idle. */
export interface Prefetch {
  /**
   * @param runMs duration of the slowest engine's last run
   * @param ready called when all results are cached
   */
  begin(likely: readonly EngineSettings[], runMs: number, ready: () => void): void;
  /** Stops prefetching, because the workers are needed. */
  stop(): void;
}

export function createPrefetch({ runners }: Workers): Prefetch {
  /** Identifies the newest call of `begin`. */
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    newest++;
    clearTimeout(timer);
  };
  const work = async (likely: readonly EngineSettings[], own: number, ready: () => void): Promise<void> => {
    for (const settings of likely) {
      if (own !== newest) return;
      await Promise.all([...runners.values()].map((runner) => runner.prepare(settings)));
    }
    if (own === newest) ready();
  };
  return {
    stop,
    begin(likely, runMs, ready) {
      stop();
      const own = newest;
      // Errors are ignored here; they recur and are shown when the user asks for the result.
      if (runMs <= longestMs) timer = setTimeout(() => void work(likely, own, ready).catch(() => {}), restMs);
    },
  };
}
