import { type BatchResult, oversizedResult } from './batch-work.ts';
import type { LineBatch, OversizedLine } from './read-batches.ts';
import type { RowPool } from './row-pool.ts';

export interface PumpOptions {
  readonly pool: RowPool;
  /** Names the source in the reject file. */
  readonly file: string;
  /** Puts a result where it belongs; called in order, one at a time, as soon as it is there. */
  readonly commit: (result: BatchResult, batch: LineBatch | OversizedLine) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Bytes of the source that may be under way between reading and writing. */
const mostBytes = 32 * 2 ** 20;

/**
 * Runs batches through a pool and commits the results in order. Reads no further ahead than the pool and the writer can
 * follow, so memory does not grow with the source.
 */
export async function pump(batches: AsyncIterable<LineBatch | OversizedLine>, options: PumpOptions): Promise<void> {
  const { pool, file, commit, signal } = options;
  const underWay: { readonly size: number; readonly committed: Promise<void> }[] = [];
  let bytes = 0;
  let newest: Promise<void> = Promise.resolve();
  const waitForOldest = async (): Promise<void> => {
    const { size, committed } = underWay[0]!;
    await committed;
    underWay.shift();
    bytes -= size;
  };
  for await (const batch of batches) {
    signal.throwIfAborted();
    const size = batch.kind === 'lines' ? batch.bytes.length : 0;
    while (underWay.length > 0 && (underWay.length >= pool.capacity || bytes + size > mostBytes)) await waitForOldest();
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
    // Whoever awaits it hears of a failure; until then it is nobody's unhandled rejection.
    newest.catch(() => undefined);
    underWay.push({ size, committed: newest });
    bytes += size;
  }
  await newest;
}
