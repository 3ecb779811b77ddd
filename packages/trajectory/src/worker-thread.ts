import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { openCalls } from './calls/trajectory-calls.ts';
import { createCompressContext } from './compress-context.ts';
import { type BatchResult, compressBatch } from './node/batch-work.ts';
import { remoteCallPool } from './node/call-port.ts';
import type { ThreadData, ThreadTask } from './node/thread-protocol.ts';
import { loadTokenizer } from './node/tokenizer.ts';

// The script of a worker thread. It compresses batches, with its own tokenizer.

const { settings, tokenizer, wantsMetrics, callPool } = workerData as ThreadData;
const opening = loadTokenizer(tokenizer).then((counting) => createCompressContext({ ...settings, ...counting }));
// A failure is thrown for each batch; until then it must not be an unhandled rejection.
opening.catch(() => undefined);

export default async function compress(task: ThreadTask): Promise<BatchResult> {
  const context = await opening;
  const { port } = task;
  const calls = port && callPool ? { openCalls: () => openCalls(remoteCallPool(port, callPool)) } : {};
  const result = await compressBatch(
    task,
    { ...context, ...calls },
    { wantsMetrics, waitsForCalls: callPool !== null },
  );
  return transferred(result);
}

/** Marks the bytes of the result to be transferred instead of copied. */
function transferred(result: BatchResult): BatchResult {
  const buffers = new Set([result.output.buffer, result.metrics.buffer, result.rejects.buffer]);
  const movable = { [transferableSymbol]: [...buffers], [valueSymbol]: result };
  return move(movable as unknown as ArrayBuffer) as unknown as BatchResult;
}
