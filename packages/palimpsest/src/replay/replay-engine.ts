import type { Clock, EngineHost } from '@palimpsest/core';
import type { Engines } from '@palimpsest/eval/engines/engines';
import { dialectOf, type Sample } from '@palimpsest/eval/inputs/sample';
import { createEngineHost } from '@palimpsest/registry';
import { RecordedPages } from './recorded-pages.ts';
import { type ReplayRun, replay } from './replay.ts';

/** The host of replayed sessions. Its clock is in session time, in milliseconds. */
export interface ReplayHost extends EngineHost {
  /** Advances the clock by 30 seconds, before each request. */
  tick(): void;
}

/** Creates a host whose clock advances with the session, so that cooldowns of an engine elapse. Scheduled callbacks never run. */
export function createReplayHost(sample: Sample): ReplayHost {
  let now = 0;
  const clock: Clock = { now: () => now, schedule: () => () => {} };
  const tick = (): void => {
    now += 30_000;
  };
  return { ...createEngineHost({ tokens: sample.tokens, clock, ...dialectOf(sample) }), tick };
}

/** Options of {@link replayEngine}. */
export interface ReplayEngineOptions {
  readonly windowTokens: number;
  readonly targetTokens?: number | undefined;
  /** Called after each compaction; a rejection ends the replay. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Reused between replays, so that the next one is faster. @default a new one */
  readonly host?: ReplayHost | undefined;
}

/**
 * Replays a session with a new engine, request by request. If the sample has the pages of a model for all its summaries,
 * these are used; otherwise rules write.
 */
export async function replayEngine(
  engines: Engines,
  name: string,
  sample: Sample,
  { windowTokens, targetTokens, pause, host = createReplayHost(sample) }: ReplayEngineOptions,
): Promise<ReplayRun> {
  const replayBy = async (pages: RecordedPages | null): Promise<ReplayRun> => {
    const engine = await engines.start(name, pages ? { ...host, summarizer: pages } : host);
    await engine.updateModel({ id: 'unnamed', contextLength: windowTokens });
    return replay(sample, engine, { targetTokens, tick: host.tick, pause, pages });
  };
  if (sample.found.pages) {
    const pages = new RecordedPages(sample);
    const run = await replayBy(pages);
    if (!pages.hasMissed) return run;
  }
  return replayBy(null);
}
