import type { BatchResult } from './batch.ts';
import type { LineBatch } from './read-batches.ts';

/** Most bytes of the source to hold between reading and writing. */
const maxBytes = 32 * 2 ** 20;

/**
 * Runs batches through a pool and commits the results in order, one at a time, as soon as each is available. Reads only as
 * far ahead as the pool and the writer can follow, so that memory does not grow with the source.
 */
export async function pump(
  batches: AsyncIterable<LineBatch>,
  { run, capacity }: { readonly run: (batch: LineBatch) => Promise<BatchResult>; readonly capacity: number },
  signal: AbortSignal,
  commit: (result: BatchResult, batch: LineBatch) => Promise<void>,
): Promise<void> {
  const pending: { readonly bytes: number; readonly committed: Promise<void> }[] = [];
  let pendingBytes = 0;
  let newest = Promise.resolve();
  for await (const batch of batches) {
    signal.throwIfAborted();
    while (pending.length > 0 && (pending.length >= capacity || pendingBytes + batch.bytes > maxBytes)) {
      await pending[0]!.committed;
      pendingBytes -= pending.shift()!.bytes;
    }
    newest = Promise.all([run(batch), newest]).then(([result]) => {
      signal.throwIfAborted();
      return commit(result, batch);
    });
    // A failure is thrown where the promise is awaited; until then it must not be an unhandled rejection.
    newest.catch(() => undefined);
    pending.push({ bytes: batch.bytes, committed: newest });
    pendingBytes += batch.bytes;
  }
  await newest;
}
