import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { checkOptions, functionRule, methodsRule, type OptionRules, textRule } from '@palimpsest/core/authoring';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import { unpackIfPacked } from './input-stream.ts';
import { pump } from './pump.ts';
import { readBatches } from './read-batches.ts';
import { type RunOptions, runRules, withRun } from './run.ts';

export interface StreamOptions extends RunOptions {
  /** Number of threads. @default 1, because the other programs of a pipe need processors too */
  readonly workers?: number | undefined;
  /** Name of the source, for reports of rejected rows. @default '-' */
  readonly name?: string | undefined;
  /** Receives one line of JSON per trajectory. */
  readonly metrics?: Writable | undefined;
  /** Receives one line of JSON per rejected row, with its text. */
  readonly rejects?: Writable | undefined;
  readonly onRejected?: ((line: number, reason: string) => void) | undefined;
}

const streamRule = methodsRule('a stream that can be written to', 'write');
const rules: OptionRules = {
  ...runRules,
  name: textRule,
  metrics: streamRule,
  rejects: streamRule,
  onRejected: functionRule,
};

/**
 * Compacts JSONL from one stream to another, in order and in bounded memory. Gzipped input is unpacked. A row is
 * written when it and all rows before it are done. Does not end the streams.
 * @throws {PalimpsestError} `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function compactStream(
  source: AsyncIterable<Uint8Array>,
  output: Writable,
  given: StreamOptions = {},
): Promise<RunTotals> {
  checkOptions('compactStream', given, rules);
  const { name = '-', metrics, rejects, onRejected, ...options } = given;
  let totals = noTotals;
  await withRun({ workers: 1, ...options }, async ({ pool, signal }) => {
    const batches = readBatches(unpackIfPacked(source), { batchBytes: 0 });
    const { capacity } = pool;
    await pump(batches, { capacity, run: (batch) => pool.run(batch, name) }, signal, async (result) => {
      await write(output, result.output, signal);
      if (metrics) await write(metrics, result.metrics, signal);
      if (rejects) await write(rejects, result.rejects, signal);
      for (const { line, reason } of result.rejected) onRejected?.(line, reason);
      totals = addTotals(totals, result.totals);
    });
  });
  return totals;
}

/** Writes to a stream, and waits for a slow reader. */
async function write(stream: Writable, text: string, signal: AbortSignal): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain', { signal });
}
