import type { Remote } from 'comlink';
import type { EngineSettings } from 'palimpsest/comparison/engine-settings';
import { oneLine } from '../one-line.ts';
import type { Runner } from '../worker/runner.ts';
import { newestOnly } from './newest-only.ts';
import type { EngineAnswers } from './state.ts';
import type { Workers } from './workers.ts';

/** What an engine is asked: its settings, the id of the loaded transcript, and the request to show. */
export interface EngineQuery {
  readonly loadId: number;
  readonly settings: EngineSettings;
  /** Index of the request; `null` for the last one. */
  readonly turn: number | null;
}

/** Returns a function that sends a query to an engine's worker and passes its answer to `onAnswer`. */
export function createEngineQuery(
  workers: Workers,
  runner: Remote<Runner>,
  onAnswer: (query: EngineQuery, answers: Partial<EngineAnswers>) => void,
): (query: EngineQuery) => void {
  let loaded = 0;
  return newestOnly<EngineQuery>(
    async (query) => {
      try {
        if (loaded !== query.loadId) await workers.load(runner);
        loaded = query.loadId;
        const answer = await runner.run(query.settings, query.turn);
        if (answer) onAnswer(query, { ...answer, of: query.settings, turn: query.turn, problem: null });
      } catch (error) {
        onAnswer(query, { problem: oneLine(error) });
      }
    },
    (running, newer) => {
      if (running.settings !== newer.settings || running.loadId !== newer.loadId) void runner.interrupt();
    },
  );
}
