import type { Remote } from 'comlink';
import type { EngineSettings } from '../../../src/engine-settings.ts';
import type { Runner } from '../worker/runner.ts';
import type { Crew, Pair } from './crew.ts';
import type { EngineAnswers } from './lab.ts';
import { newestOnly } from './newest-only.ts';

/** What an engine is asked: these settings, for the transcript that was opened as this one. */
export interface Question {
  readonly opening: number;
  readonly settings: EngineSettings;
}

/** Asks both workers of an engine; `answered` gets each answer as it comes. */
export function createAsker(
  crew: Crew,
  { comparing, replaying }: Pair,
  answered: (question: Question, answers: Partial<EngineAnswers>) => void,
): (question: Question) => void {
  const ask = (
    runner: Remote<Runner>,
    answer: (settings: EngineSettings) => Promise<Partial<EngineAnswers>>,
  ): ((question: Question) => void) => {
    let loaded = 0;
    return newestOnly<Question>(
      async (question) => {
        try {
          if (loaded !== question.opening) await crew.load(runner);
          loaded = question.opening;
          answered(question, { ...(await answer(question.settings)), problem: null });
        } catch (error) {
          answered(question, { problem: error instanceof Error ? error.message : String(error) });
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
  return (question) => {
    compare(question);
    replay(question);
  };
}
