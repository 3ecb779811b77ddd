import { compressRow, type RowResult } from '../compress-row.ts';
import type { CompressContext } from '../context.ts';
import { addTotals, noTotals, type RunTotals, totalsOf } from '../metrics.ts';
import type { LineBatch } from './read-batches.ts';

/** The lines of a batch. */
export type BatchRows = LineBatch['lines'];

/** The result for a line; `null` for a blank one. */
export type LineResult = RowResult | null;

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

/** Compresses lines, in order. If a model is called, all at once, because they wait for its answers. */
export async function compressRows(
  lines: BatchRows,
  context: CompressContext,
  signal?: AbortSignal,
): Promise<LineResult[]> {
  const compress = async (line: BatchRows[number]): Promise<LineResult> => {
    signal?.throwIfAborted();
    if (typeof line !== 'string') return { kind: 'rejected', reason: line.reason };
    return line.trim() === '' ? null : compressRow(line, context, signal);
  };
  if (context.openCalls) return Promise.all(lines.map(compress));
  const results: LineResult[] = [];
  for (const line of lines) results.push(await compress(line));
  return results;
}

/** Puts the results of a batch together. @param file name of the source, for the reject file */
export function collect({ lines, firstLine }: LineBatch, results: readonly LineResult[], file: string): BatchResult {
  let totals = noTotals;
  const [output, metrics, rejects]: string[][] = [[], [], []];
  const rejected: { line: number; reason: string }[] = [];
  for (const [index, result] of results.entries()) {
    if (result === null) continue;
    const source = lines[index]!;
    const line = firstLine + index;
    if (result.kind === 'rejected') {
      const { reason } = result;
      const content = typeof source === 'string' ? { text: source } : { base64: source.base64 };
      rejects!.push(`${JSON.stringify({ file, line, reason, ...content })}\n`);
      rejected.push({ line, reason });
      totals = addTotals(totals, { ...noTotals, rows: 1, rejected: 1 });
      continue;
    }
    output!.push(result.kind === 'compressed' ? result.text : (source as string), '\n');
    metrics!.push(`${JSON.stringify({ line, ...result.metrics })}\n`);
    totals = addTotals(totals, totalsOf(result.metrics));
  }
  return { output: output!.join(''), metrics: metrics!.join(''), rejects: rejects!.join(''), rejected, totals };
}
