import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type RunTotals, ratioOf } from '../metrics.ts';
import type { ResolvedSettings } from '../options.ts';
import { cannotContinue, fileFailure, isMissing } from './file-failure.ts';
import { unpackIfPacked } from './input-stream.ts';
import { filesOf, Journal, type OnUnfinished, readJournal, removeLeftovers } from './journal.ts';
import { pump } from './pump.ts';
import { type LineBatch, readBatches } from './read-batches.ts';
import type { Recipe, Run } from './run.ts';

/** The report of one file, written next to its output. */
export interface ShardReport {
  readonly input: string;
  readonly output: string;
  readonly totals: RunTotals;
  /** `tokensAfter / tokensBefore`; 1 for an empty file. */
  readonly ratio: number;
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  /** Id of the summarizer. */
  readonly summarizer: string;
  /** Size of the output file on disk, packed or not. */
  readonly outputBytes: number;
  /** Elapsed time in milliseconds, of the last attempt only. */
  readonly wallMs: number;
  /** Digest of the options and the input. */
  readonly fingerprint: string;
}

export interface ShardOptions {
  readonly input: string;
  readonly output: string;
  readonly run: Run;
  readonly unfinished: OnUnfinished;
  /** Called after each batch. @param bytes read from the input file, packed or not */
  readonly onProgress?: ((bytes: number, totals: RunTotals) => void) | undefined;
  readonly onRejected?: ((line: number, reason: string) => void) | undefined;
  /** Called right before the output gets its final name. If it rejects, the shard stays unfinished. */
  readonly mayFinish?: (() => Promise<void>) | undefined;
}

/** Approximate size of a batch of lines, in bytes. */
const batchBytes = 256 * 1024;
/** Increase it when a new version of this package may compact the same row differently. */
const recipeVersion = 2;

/** A digest of the recipe and of the input's size and time. Detects changed options or inputs. */
export async function shardFingerprint(input: string, { settings, tokenizer, summarizer }: Recipe): Promise<string> {
  const { targetTokens, summaryTokens, protectLast, turnTokens, notice } = settings;
  const { size, mtimeMs } = await stat(input).catch((error: unknown) => {
    throw fileFailure('read', input, error);
  });
  const recipe = [recipeVersion, targetTokens, summaryTokens, protectLast, turnTokens, notice, tokenizer, summarizer];
  const text = JSON.stringify([...recipe, size, mtimeMs]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * Compacts one file into another, and writes metrics, rejected rows and a report next to it. When resuming, a shard is
 * skipped if its output exists and was made with the same options from the same input.
 * @throws {PalimpsestError} `FILE_FAILED`, `RUN_UNFINISHED`; the signal's reason
 */
export async function compactShard(options: ShardOptions): Promise<ShardReport> {
  const { input, output, run } = options;
  const started = Date.now();
  const fingerprint = await shardFingerprint(input, run.recipe);
  try {
    await mkdir(dirname(output), { recursive: true });
    const finished = options.unfinished === 'refuse' ? null : await readFinishedReport(output, fingerprint);
    if (finished) {
      // An earlier run may have been killed after it renamed the output and before it removed the journal.
      await removeLeftovers(output);
      return finished;
    }
    const journal = await Journal.open(output, fingerprint, options.unfinished);
    try {
      await writeRows(journal, options);
    } finally {
      await journal.close();
    }
    await options.mayFinish?.();
    run.signal.throwIfAborted();
    const { totals } = journal;
    return await publish(journal, output, (outputBytes) => ({
      input,
      output,
      totals,
      ratio: ratioOf(totals),
      ...run.recipe,
      outputBytes,
      wallMs: Date.now() - started,
      fingerprint,
    }));
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    throw fileFailure('write', output, error);
  }
}

/** Compacts the rows after those in the journal. */
async function writeRows(journal: Journal, { input, output, run, ...options }: ShardOptions): Promise<void> {
  const { pool, signal } = run;
  const file = createReadStream(input, { highWaterMark: batchBytes });
  const batches = readBatches(unpackIfPacked(file), { skip: journal.lines, batchBytes });
  const running = { capacity: pool.capacity, run: (batch: LineBatch) => pool.run(batch, input) };
  try {
    await pump(batches, running, signal, async ({ rejected, ...result }, { firstLine, lines }) => {
      await journal.append({ ...result, lines: firstLine + lines.length - 1 }).catch((error: unknown) => {
        throw fileFailure('write', output, error);
      });
      for (const { line, reason } of rejected) options.onRejected?.(line, reason);
      options.onProgress?.(file.bytesRead, journal.totals);
    });
  } catch (error) {
    throw fileFailure('read', input, error);
  } finally {
    file.destroy();
  }
}

/**
 * Writes the files of a finished shard from its journal, and gives them their names. The output comes last, because its
 * existence means that the shard is finished. After a crash, all of this is repeated.
 */
async function publish(
  { path, mark, totals }: Journal,
  output: string,
  reportOf: (outputBytes: number) => ShardReport,
): Promise<ShardReport> {
  const { rejects, report: reportFile, ...rest } = filesOf(output);
  const part = (file: string): string => `${file}.part-${mark}`;
  const files = totals.rejected > 0 ? { rejects, ...rest } : rest;
  try {
    for (const [name, file] of Object.entries(files)) {
      const texts = Readable.from(textsOf(path, name as keyof typeof files), { objectMode: false });
      const target = createWriteStream(part(file));
      await (file.endsWith('.gz') ? pipeline(texts, createGzip(), target) : pipeline(texts, target));
    }
    const report = reportOf((await stat(part(output))).size);
    await writeFile(part(reportFile), `${JSON.stringify(report, null, 2)}\n`);
    if (totals.rejected === 0) await rm(rejects, { force: true });
    const inOrder = [...Object.values(files).filter((file) => file !== output), reportFile, output];
    for (const file of inOrder) await rename(part(file), file);
    await rm(path, { force: true });
    return report;
  } catch (error) {
    for (const file of Object.values(filesOf(output))) await rm(part(file), { force: true });
    throw isMissing(error) ? cannotContinue(output, 'another run took it over') : error;
  }
}

async function* textsOf(journal: string, name: 'output' | 'metrics' | 'rejects'): AsyncGenerator<string> {
  for await (const entry of readJournal(journal)) if (entry[name] !== '') yield entry[name];
}

/** Reads the report of a finished shard with a complete output; `null` if the shard is not finished. */
export async function readFinishedReport(output: string, fingerprint: string): Promise<ShardReport | null> {
  try {
    const report = JSON.parse(await readFile(filesOf(output).report, 'utf8')) as ShardReport;
    const { size } = await stat(output);
    return report.fingerprint === fingerprint && report.outputBytes === size ? report : null;
  } catch {
    return null;
  }
}
