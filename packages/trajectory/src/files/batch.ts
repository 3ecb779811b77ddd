import { compactRow, type RowResult } from '../compact-row.ts';
import type { TrajectoryContext } from '../context.ts';
import { addTotals, noTotals, type RunTotals, totalsOf } from '../metrics.ts';
import type { LineBatch } from './read-batches.ts';

/** The result of a batch. */
export interface BatchResult {
  /** The output rows, each with a line end. */
  readonly output: string;
  /** One line of JSON per trajectory. */
  readonly metrics: string;
  /** One line of JSON per rejected row, with its text. */
  readonly rejects: string;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly totals: RunTotals;
}

/** Compacts the lines of a batch. Blank lines are left out. @param file name of the source, for the reject file */
export async function compactBatch(
  { lines, firstLine }: LineBatch,
  file: string,
  context: TrajectoryContext,
  signal?: AbortSignal,
): Promise<BatchResult> {
  // All at once, because they wait for the answers of a model.
  const results = await Promise.all(
    lines.map(async (source): Promise<RowResult> => {
      signal?.throwIfAborted();
      return typeof source === 'string'
        ? compactRow(source, context, signal)
        : { kind: 'rejected', reason: source.reason };
    }),
  );
  let totals = noTotals;
  const [output, metrics, rejects]: [string[], string[], string[]] = [[], [], []];
  const rejected: { line: number; reason: string }[] = [];
  for (const [index, result] of results.entries()) {
    const source = lines[index]!;
    const line = firstLine + index;
    if (typeof source === 'string' && source.trim() === '') continue;
    if (result.kind === 'rejected') {
      const { reason } = result;
      const content = typeof source === 'string' ? { text: source } : { base64: source.base64 };
      rejects.push(`${JSON.stringify({ file, line, reason, ...content })}\n`);
      rejected.push({ line, reason });
      totals = addTotals(totals, { ...noTotals, rows: 1, rejected: 1 });
    } else {
      output.push(result.kind === 'compacted' ? result.text : (source as string), '\n');
      metrics.push(`${JSON.stringify({ line, ...result.metrics })}\n`);
      totals = addTotals(totals, totalsOf(result.metrics));
    }
  }
  return { output: output.join(''), metrics: metrics.join(''), rejects: rejects.join(''), rejected, totals };
}
