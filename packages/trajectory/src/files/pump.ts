import { type BatchResult, collect } from './batch.ts';
import type { LineBatch } from './read-batches.ts';
import type { RowPool } from './row-pool.ts';

export interface PumpOptions {
  readonly pool: RowPool;
  /** Name of the source, for the reject file. */
  readonly file: string;
  /** Writes a result. Called in order, one at a time, as soon as the result is available. */
  readonly commit: (result: BatchResult, batch: LineBatch) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Most bytes of the source to hold between reading and writing. */
const maxBytes = 32 * 2 ** 20;

/**
 * Runs batches through a pool and commits the results in order. Reads only as far ahead as the pool and the writer can
 * follow, so that memory does not grow with the source.
 */
export async function pump(batches: AsyncIterable<LineBatch>, options: PumpOptions): Promise<void> {
  const { pool, file, commit, signal } = options;
  const pending: { readonly bytes: number; readonly committed: Promise<void> }[] = [];
  let pendingBytes = 0;
  let newest = Promise.resolve();
  for await (const batch of batches) {
    signal.throwIfAborted();
    while (pending.length > 0 && (pending.length >= pool.capacity || pendingBytes + batch.bytes > maxBytes)) {
      await pending[0]!.committed;
      pendingBytes -= pending.shift()!.bytes;
    }
    newest = Promise.all([pool.run(batch.lines), newest]).then(([results]) => {
      signal.throwIfAborted();
      return commit(collect(batch, results, file), batch);
    });
    // A failure is thrown where the promise is awaited; until then it must not be an unhandled rejection.
    newest.catch(() => undefined);
    pending.push({ bytes: batch.bytes, committed: newest });
    pendingBytes += batch.bytes;
  }
  await newest;
}
