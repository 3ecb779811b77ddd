import type { Remote } from 'comlink';
import { oneLine } from '../one-line.ts';
import type { Runner } from '../worker/runner.ts';
import { newestOnly } from './newest-only.ts';
import type { EngineAnswers, StoreState } from './state.ts';

/** What an engine is asked: the transcript, its settings, and the request to show. */
export type EngineQuery = Pick<StoreState, 'loadId' | 'given' | 'opened' | 'settings' | 'turn'>;

/** Returns a function that sends a query to an engine's worker and passes its answer to `onAnswer`. */
export function createEngineQuery(
  runner: Remote<Runner>,
  onAnswer: (query: EngineQuery, answers: Partial<EngineAnswers>) => void,
): (query: EngineQuery) => void {
  let loaded = 0;
  return newestOnly<EngineQuery>(
    async (query) => {
      const { loadId, given, opened, settings, turn } = query;
      try {
        if (loaded !== loadId) await runner.open(given!, opened!.ordinal);
        loaded = loadId;
        const answer = await runner.run(settings, turn);
        if (answer) onAnswer(query, { ...answer, of: settings, turn, problem: null });
      } catch (error) {
        onAnswer(query, { problem: oneLine(error) });
      }
    },
    (running, newer) => {
      if (running.settings !== newer.settings || running.loadId !== newer.loadId) void runner.interrupt();
    },
  );
}
