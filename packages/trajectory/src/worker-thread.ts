import { workerData } from 'node:worker_threads';
import { createContext } from './context.ts';
import { type BatchRows, compressRows, type LineResult } from './files/batch.ts';
import type { ThreadData } from './files/row-pool.ts';
import { loadTokenizer } from './files/tokenizer.ts';

// The script of a worker thread. It compresses batches, with its own tokenizer.

const { settings, tokenizer } = workerData as ThreadData;
const opening = loadTokenizer(tokenizer).then((counting) => createContext(settings, counting));
// A failure is thrown for each batch; until then it must not be an unhandled rejection.
opening.catch(() => undefined);

export default async function compress(lines: BatchRows): Promise<LineResult[]> {
  return compressRows(lines, await opening);
}
