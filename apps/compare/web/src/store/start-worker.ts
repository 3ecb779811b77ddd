import { type Remote, wrap } from 'comlink';
import type { PageWorker } from '../worker/page-worker.ts';
import PageWorkerProcess from '../worker/worker.ts?worker&inline';

/** @throws {Error} if the browser does not start workers */
export async function startWorker(): Promise<{
  readonly worker: Remote<PageWorker>;
  readonly engines: readonly string[];
}> {
  const started = new PageWorkerProcess();
  const worker = wrap<PageWorker>(started);
  const failed = new Promise<never>((_, reject) => {
    started.addEventListener('error', () => reject(new Error('the browser blocked a worker')), { once: true });
  });
  return { worker, engines: await Promise.race([worker.engines(), failed]) };
}
