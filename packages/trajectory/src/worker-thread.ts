import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { openCalls } from './calls/trajectory-calls.ts';
import { type BatchResult, compressBatch } from './node/batch-work.ts';
import { remoteDesk } from './node/desk-port.ts';
import type { ThreadData, ThreadTask } from './node/thread-protocol.ts';
import { loadTokenizer } from './node/tokenizer.ts';
import { openWorkshop } from './workshop.ts';

/** The script of a worker thread: compresses batches with a tokenizer of its own. */

const { settings, tokenizer, wantsMetrics, desk } = workerData as ThreadData;
const opening = loadTokenizer(tokenizer).then((counting) => openWorkshop({ ...settings, ...counting }));
// Whoever sends a batch hears of it; until then it is nobody's unhandled rejection.
opening.catch(() => undefined);

export default async function compress(task: ThreadTask): Promise<BatchResult> {
  const workshop = await opening;
  const { port } = task;
  const calls = port && desk ? { openCalls: () => openCalls(remoteDesk(port, desk)) } : {};
  const result = await compressBatch(task, { ...workshop, ...calls }, { wantsMetrics, waitsForCalls: desk !== null });
  return transferred(result);
}

/** The result with its bytes handed over instead of copied. */
function transferred(result: BatchResult): BatchResult {
  const buffers = new Set([result.output.buffer, result.metrics.buffer, result.rejects.buffer]);
  const movable = { [transferableSymbol]: [...buffers], [valueSymbol]: result };
  return move(movable as unknown as ArrayBuffer) as unknown as BatchResult;
}
