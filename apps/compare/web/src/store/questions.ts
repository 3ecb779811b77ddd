import type { Remote } from 'comlink';
import type { EngineSettings } from 'palimpsest/replay/engine-settings';
import type { PageWorker } from '../worker/page-worker.ts';
import type { MessageReading, RequestHandoffs } from '../worker/request-reading.ts';
import type { StoreState } from './state.ts';

/** What the page asks the worker about the session and the request that it shows. */
export interface Questions {
  /** The transcript as an engine compacts it up to the request shown, in the file's format; `null` without a result. */
  writeCompacted(engine: string): Promise<string | null>;
  /** A report of the whole session as an HTML page; `null` without results. */
  report(engines: readonly string[]): Promise<string | null>;
  /** The texts of the transcript. */
  readonly texts: Pick<Remote<PageWorker>, 'text' | 'beginnings' | 'find'>;
  /** The handoffs that an engine writes, and the names that are lost; `null` if there is no result. */
  handoffs(engine: string): Promise<RequestHandoffs | null>;
  /** The outcome of a message under an engine; `null` if there is no result. */
  readMessage(engine: string, index: number): Promise<MessageReading | null>;
}

/** @param stateOf returns the current state of the page */
export function createQuestions(worker: Remote<PageWorker>, stateOf: () => StoreState): Questions {
  /** Asks about the request of an engine that the page shows; `null` before there is a result. */
  const ask = async <Answer>(
    engine: string,
    question: (settings: EngineSettings, turn: number | null) => Promise<Answer | null>,
  ): Promise<Answer | null> => {
    const { of = null, turn = null } = stateOf().answers[engine] ?? {};
    return of === null ? null : question(of, turn);
  };
  return {
    writeCompacted: (engine) => ask(engine, (of, turn) => worker.writeCompacted(engine, of, turn)),
    report: (engines) => worker.report(engines, stateOf().settings, stateOf().prices),
    texts: worker,
    handoffs: (engine) => ask(engine, (of, turn) => worker.handoffs(engine, of, turn)),
    readMessage: (engine, index) => ask(engine, (of, turn) => worker.reading(engine, of, turn, index)),
  };
}
