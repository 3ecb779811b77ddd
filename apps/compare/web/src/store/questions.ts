import type { Remote } from 'comlink';
import type { EngineSettings } from 'palimpsest/comparison/engine-settings';
import type { MessageReading, RequestHandoffs } from '../worker/request-reading.ts';
import type { Runner } from '../worker/runner.ts';
import type { StoreState } from './state.ts';
import type { Workers } from './workers.ts';

/** What the page asks the workers about the session and the request that it shows. */
export interface Questions {
  /** The transcript as an engine compacts it up to the request shown, in the file's format; `null` without a result. */
  compacted(engine: string): Promise<string | null>;
  /** A report of the whole session as an HTML page; `null` without results. */
  report(engines: readonly string[]): Promise<string | null>;
  /** The worker with the texts of the transcript. */
  readonly reader: Pick<Workers['reader'], 'text' | 'beginnings' | 'find'>;
  /** The handoffs that an engine writes, and the names that are lost; `null` if there is no result. */
  handoffs(engine: string): Promise<RequestHandoffs | null>;
  /** What became of a message under an engine; `null` if there is no result. */
  readMessage(engine: string, index: number): Promise<MessageReading | null>;
}

/** @param stateOf returns the current state of the page */
export function createQuestions({ reader, runners }: Workers, stateOf: () => StoreState): Questions {
  /** Asks the worker of an engine about the request that the page shows; `null` before there is a result. */
  const ask = async <Answer>(
    engine: string,
    question: (runner: Remote<Runner>, settings: EngineSettings, turn: number | null) => Promise<Answer | null>,
  ): Promise<Answer | null> => {
    const { of = null, turn = null } = stateOf().answers[engine] ?? {};
    return of === null ? null : question(runners.get(engine)!, of, turn);
  };
  return {
    compacted: (engine) => ask(engine, (runner, of, turn) => runner.compacted(of, turn)),
    async report(names) {
      const asked = names.map((engine) => ask(engine, (runner, of) => runner.result(of)));
      const results = (await Promise.all(asked)).filter((one) => one !== null);
      const { settings, prices } = stateOf();
      return results.length > 0 ? reader.report(results, settings.windowTokens, prices) : null;
    },
    reader,
    handoffs: (engine) => ask(engine, (runner, of, turn) => runner.handoffs(of, turn)),
    readMessage: (engine, index) => ask(engine, (runner, of, turn) => runner.reading(of, turn, index)),
  };
}
