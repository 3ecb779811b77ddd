import type { EngineSettings } from '../../../src/engine-settings.ts';
import type { Workers } from './workers.ts';

/** A pass that takes longer is not worth anticipating: what is asked next might have to wait for it. */
const longestMs = 1_000;
const restMs = 300;

/** Works out in advance what is likely to be asked next, while nothing else is to be done. */
export interface Prefetch {
  /**
   * @param passMs how long the slowest engine took for what was asked last
   * @param ready called when all of it is known
   */
  begin(likely: readonly EngineSettings[], passMs: number, ready: () => void): void;
  /** Something is asked: the workers are needed. */
  stop(): void;
}

export function createPrefetch({ pairs }: Workers): Prefetch {
  let turns = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    turns++;
    clearTimeout(timer);
  };
  const work = async (likely: readonly EngineSettings[], turn: number, ready: () => void): Promise<void> => {
    for (const settings of likely) {
      if (turn !== turns) return;
      await Promise.all(
        [...pairs.values()].flatMap(({ comparing, replaying }) => [
          comparing.prepare(settings, 'comparison'),
          replaying.prepare(settings, 'replay'),
        ]),
      );
    }
    if (turn === turns) ready();
  };
  return {
    stop,
    begin(likely, passMs, ready) {
      stop();
      const turn = turns;
      // What cannot be worked out in advance is worked out, and told, when it is asked for.
      if (passMs <= longestMs) timer = setTimeout(() => void work(likely, turn, ready).catch(() => {}), restMs);
    },
  };
}
