import { workerData } from 'node:worker_threads';
import { createContext } from './context.ts';
import { type BatchResult, compactBatch } from './files/batch.ts';
import type { LineBatch } from './files/read-batches.ts';
import type { ThreadData } from './files/row-pool.ts';
import { loadTokenizer } from './files/tokenizer.ts';

// The script of a worker thread. It compacts batches, with its own tokenizer.

const { settings, tokenizer } = workerData as ThreadData;
const opening = loadTokenizer(tokenizer).then((counting) => createContext(settings, counting));
// A failure is thrown for each batch; until then it must not be an unhandled rejection.
opening.catch(() => undefined);

export default async function compact([batch, file]: readonly [LineBatch, string]): Promise<BatchResult> {
  return compactBatch(batch, file, await opening);
}
