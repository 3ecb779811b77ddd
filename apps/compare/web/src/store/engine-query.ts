import type { Remote } from 'comlink';
import { oneLine } from '../one-line.ts';
import type { PageWorker } from '../worker/page-worker.ts';
import { newestOnly } from './newest-only.ts';
import type { EngineAnswers, StoreState } from './state.ts';

/** What an engine is asked: the transcript, its settings, and the request to show. */
export type EngineQuery = Pick<StoreState, 'loadId' | 'opened' | 'settings' | 'turn'>;

/** Returns a function that asks the worker about an engine and passes its answer to `onAnswer`. */
export function createEngineQuery(
  worker: Remote<PageWorker>,
  engine: string,
  onAnswer: (query: EngineQuery, answers: Partial<EngineAnswers>) => void,
): (query: EngineQuery) => void {
  return newestOnly<EngineQuery>(
    async (query) => {
      const { settings, turn } = query;
      try {
        const answer = await worker.run(engine, settings, turn);
        if (answer) onAnswer(query, { ...answer, of: settings, turn, problem: null });
      } catch (error) {
        onAnswer(query, { problem: oneLine(error) });
      }
    },
    (running, newer) => {
      if (running.settings !== newer.settings || running.loadId !== newer.loadId) void worker.interrupt(engine);
    },
  );
}
