import { type BatchResult, oversizedResult } from './batch-work.ts';
import type { LineBatch, OversizedLine } from './read-batches.ts';
import type { RowPool } from './row-pool.ts';

export interface PumpOptions {
  readonly pool: RowPool;
  /** Name of the source, for the reject file. */
  readonly file: string;
  /** Writes a result. Called in order, one at a time, as soon as the result is available. */
  readonly commit: (result: BatchResult, batch: LineBatch | OversizedLine) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Most bytes of the source to hold between reading and writing. */
const maxBytes = 32 * 2 ** 20;

/**
 * Runs batches through a pool and commits the results in order. Reads only as far ahead as the pool and the writer can
 * follow, so that memory does not grow with the source.
 */
export async function pump(batches: AsyncIterable<LineBatch | OversizedLine>, options: PumpOptions): Promise<void> {
  const { pool, file, commit, signal } = options;
  const pending: { readonly size: number; readonly committed: Promise<void> }[] = [];
  let bytes = 0;
  let newest: Promise<void> = Promise.resolve();
  const waitForOldest = async (): Promise<void> => {
    const { size, committed } = pending[0]!;
    await committed;
    pending.shift();
    bytes -= size;
  };
  for await (const batch of batches) {
    signal.throwIfAborted();
    const size = batch.kind === 'lines' ? batch.bytes.length : 0;
    while (pending.length > 0 && (pending.length >= pool.capacity || bytes + size > maxBytes)) await waitForOldest();
    const result =
      batch.kind === 'lines'
        ? pool.run({ bytes: batch.bytes, firstLine: batch.firstLine, file })
        : Promise.resolve(oversizedResult(batch, file));
    const before = newest;
    const inOrder = async (): Promise<void> => {
      const [done] = await Promise.all([result, before]);
      signal.throwIfAborted();
      await commit(done, batch);
    };
    newest = inOrder();
    // A failure is thrown where the promise is awaited; until then it must not be an unhandled rejection.
    newest.catch(() => undefined);
    pending.push({ size, committed: newest });
    bytes += size;
  }
  await newest;
}
