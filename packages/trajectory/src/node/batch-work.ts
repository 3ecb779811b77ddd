import { isUtf8 } from 'node:buffer';
import type { CompressContext } from '../compress-context.ts';
import { compressRow, type RowResult } from '../compress-row.ts';
import { addTotals, noTotals, type RunTotals, totalsOf } from '../metrics.ts';
import type { OversizedLine } from './read-batches.ts';

/** A batch of lines to compress. */
export interface BatchTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  /** Name of the source, for the reject file. */
  readonly file: string;
}

/** A row that is not a trajectory. */
export interface Rejection {
  readonly line: number;
  readonly reason: string;
}

/** The result of a batch. */
export interface BatchResult {
  /** The output rows, each with a line end. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** One line of JSON per trajectory; empty if no metrics were requested. */
  readonly metrics: Uint8Array<ArrayBuffer>;
  /** One line of JSON per rejected row, with its text. */
  readonly rejects: Uint8Array<ArrayBuffer>;
  readonly rejected: readonly Rejection[];
  readonly totals: RunTotals;
}

export interface BatchOptions {
  /** Compute metrics for each trajectory. Without them, rows that are certainly small enough are not counted. */
  readonly wantsMetrics: boolean;
  /** Compress all rows concurrently, because they wait for calls to a model. */
  readonly waitsForCalls: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The result for a line that was too long to read. Its text is not kept. */
export function oversizedResult({ firstLine, bytes }: OversizedLine, file: string): BatchResult {
  const rejection = { line: firstLine, reason: `a line of ${bytes} bytes, longer than maxRowBytes` };
  return {
    output: merged([]),
    metrics: merged([]),
    rejects: merged([Buffer.from(`${JSON.stringify({ file, ...rejection })}\n`)]),
    rejected: [rejection],
    totals: { ...noTotals, rows: 1, rejected: 1 },
  };
}

/** Where a line is in its batch. Byte offsets. */
interface Line {
  readonly number: number;
  readonly start: number;
  /** Start of the next line. */
  readonly next: number;
  /** End of the line, without its line end. */
  readonly end: number;
}

/** Compresses the rows of a batch, in order. */
export async function compressBatch(
  task: BatchTask,
  context: CompressContext,
  options: BatchOptions,
): Promise<BatchResult> {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.length);
  const lines = linesOf(bytes, task.firstLine);
  const isClean = isUtf8(bytes);
  const work = (line: Line): Promise<RowResult> => {
    const row = bytes.subarray(line.start, line.end);
    if (!isClean && !isUtf8(row)) return Promise.resolve({ kind: 'rejected', reason: 'not UTF-8' });
    return compressRow(row.toString('utf8'), row.length, context, {
      countAll: options.wantsMetrics,
      signal: options.signal,
    });
  };
  let results: RowResult[] = [];
  if (options.waitsForCalls) results = await Promise.all(lines.map(work));
  else for (const line of lines) results.push(await work(line));
  return collect(task, bytes, lines, results, options.wantsMetrics);
}

function collect(
  { file, bytes: source }: BatchTask,
  bytes: Buffer,
  lines: readonly Line[],
  results: readonly RowResult[],
  wantsMetrics: boolean,
): BatchResult {
  let totals = noTotals;
  const pieces: Uint8Array[] = [];
  const metrics: string[] = [];
  const rejects: string[] = [];
  const rejected: Rejection[] = [];
  let keptFrom = 0;
  let keptTo = 0;
  const flush = (): void => {
    if (keptTo > keptFrom) pieces.push(bytes.subarray(keptFrom, keptTo));
  };
  for (const [index, result] of results.entries()) {
    const { number, start, end, next } = lines[index]!;
    if (result.kind === 'kept') {
      if (start !== keptTo) {
        flush();
        keptFrom = start;
      }
      keptTo = next;
    } else if (result.kind === 'compressed') {
      flush();
      keptFrom = keptTo = next;
      pieces.push(Buffer.from(`${result.text}\n`));
    } else {
      const row = bytes.subarray(start, end);
      const text = isUtf8(row) ? { text: row.toString('utf8') } : { base64: row.toString('base64') };
      rejects.push(`${JSON.stringify({ file, line: number, reason: result.reason, ...text })}\n`);
      rejected.push({ line: number, reason: result.reason });
      totals = addTotals(totals, { ...noTotals, rows: 1, rejected: 1 });
      continue;
    }
    if (result.metrics === null) totals = addTotals(totals, uncounted(result.kind === 'kept' ? result.turns : 0));
    else {
      totals = addTotals(totals, totalsOf(result.metrics));
      if (wantsMetrics) metrics.push(`${JSON.stringify({ line: number, ...result.metrics })}\n`);
    }
  }
  flush();
  const isWhole = pieces.length === 1 && pieces[0]!.length === source.length;
  const output = isWhole ? source : merged(pieces);
  return {
    output: output.length > 0 && output.at(-1) !== newline ? merged([output, lineEnd]) : output,
    metrics: merged([Buffer.from(metrics.join(''))]),
    rejects: merged([Buffer.from(rejects.join(''))]),
    rejected,
    totals,
  };
}

const newline = 10;
const lineEnd = new Uint8Array([newline]);

function uncounted(turns: number): RunTotals {
  return { ...noTotals, rows: 1, skippedUnderTarget: 1, turnsBefore: turns, turnsAfter: turns };
}

/** Finds the lines of a batch that are not blank. */
function linesOf(bytes: Buffer, firstLine: number): Line[] {
  const lines: Line[] = [];
  let number = firstLine;
  for (let start = 0; start < bytes.length; number++) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    const next = found === -1 ? end : end + 1;
    if (!isBlank(bytes, start, end)) lines.push({ number, start, end, next });
    start = next;
  }
  return lines;
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 32) return false;
  return true;
}

function merged(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
