import { type Remote, wrap } from 'comlink';
import type { Reader } from '../worker/reader.ts';
import type { Runner } from '../worker/runner.ts';
import PageWorker from '../worker/worker.ts?worker&inline';

/** All workers of the page: one reader, and one per engine. Each reads the open transcript itself. */
export interface Workers {
  readonly reader: Remote<Reader>;
  readonly runners: ReadonlyMap<string, Remote<Runner>>;
}

/** @throws {Error} if the browser does not start workers */
export async function startWorkers(): Promise<Workers> {
  const worker = new PageWorker({ name: 'reader' });
  const reader = wrap<Reader>(worker);
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new Error('the browser blocked a worker')), { once: true });
  });
  const engines = await Promise.race([reader.engines(), failed]);
  const runners = new Map(engines.map((engine) => [engine, wrap<Runner>(new PageWorker({ name: engine }))]));
  return { reader, runners };
}
