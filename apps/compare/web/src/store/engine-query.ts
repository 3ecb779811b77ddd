import type { EngineSettings } from '@palimpsest/comparison/engine-settings';
import type { Remote } from 'comlink';
import type { Runner } from '../worker/runner.ts';
import { newestOnly } from './newest-only.ts';
import type { EngineAnswers } from './store.ts';
import type { Pair, Workers } from './workers.ts';

/** Settings to run an engine with, and the id of the loaded transcript to run it on. */
export interface EngineQuery {
  readonly loadId: number;
  readonly settings: EngineSettings;
}

/** Returns a function that sends a query to both workers of an engine and passes each answer to `onAnswer`. */
export function createEngineQuery(
  workers: Workers,
  { comparing, replaying }: Pair,
  onAnswer: (query: EngineQuery, answers: Partial<EngineAnswers>) => void,
): (query: EngineQuery) => void {
  const ask = (
    runner: Remote<Runner>,
    answer: (settings: EngineSettings) => Promise<Partial<EngineAnswers>>,
  ): ((query: EngineQuery) => void) => {
    let loaded = 0;
    return newestOnly<EngineQuery>(
      async (query) => {
        try {
          if (loaded !== query.loadId) await workers.load(runner);
          loaded = query.loadId;
          onAnswer(query, { ...(await answer(query.settings)), problem: null });
        } catch (error) {
          onAnswer(query, { problem: error instanceof Error ? error.message : String(error) });
        }
      },
      () => void runner.interrupt(),
    );
  };
  const compare = ask(comparing, async (of) => ({ view: { of, value: await comparing.compare(of) } }));
  const replay = ask(replaying, async (of) => {
    const value = await replaying.replay(of);
    return value ? { replay: { of, value } } : {};
  });
  return (query) => {
    compare(query);
    replay(query);
  };
}
