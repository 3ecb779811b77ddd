import { type Remote, transfer, wrap } from 'comlink';
import type { Reader } from '../worker/reader.ts';
import type { Runner } from '../worker/runner.ts';
import PageWorker from '../worker/worker.ts?worker&inline';

/** The two workers of an engine, so that comparison and replay run in parallel. */
export interface Pair {
  readonly comparing: Remote<Runner>;
  readonly replaying: Remote<Runner>;
}

/** All workers of the page: one reader, and two per engine. */
export interface Workers {
  readonly reader: Remote<Reader>;
  readonly pairs: ReadonlyMap<string, Pair>;
  /** Transfers the reader's open transcript to a runner. */
  load(runner: Remote<Runner>): Promise<void>;
}

export async function startWorkers(): Promise<Workers> {
  const reader = wrap<Reader>(new PageWorker({ name: 'reader' }));
  const engines = await reader.engines();
  const runner = (engine: string): Remote<Runner> => wrap<Runner>(new PageWorker({ name: engine }));
  const pairs = new Map(engines.map((engine) => [engine, { comparing: runner(engine), replaying: runner(engine) }]));
  return {
    reader,
    pairs,
    async load(runner) {
      const { port1, port2 } = new MessageChannel();
      await reader.connect(transfer(port1, [port1]));
      await runner.load(transfer(port2, [port2]));
    },
  };
}
