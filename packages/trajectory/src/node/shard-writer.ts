import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import type { BatchResult } from './batch-work.ts';
import { isMissing } from './file-failure.ts';
import type { JournalHeader, JournalRecord } from './journal.ts';
import { processMark } from './process-mark.ts';
import type { ShardPaths } from './shard-paths.ts';

const pack = promisify(gzip);

/** The temporary files of an output: three data files, and the journal that records how much of them is valid. */
export interface ShardParts {
  readonly output: string;
  readonly metrics: string;
  readonly rejects: string;
  readonly journal: string;
}

/** The paths of the temporary files of an output. @param mark distinguishes those of several writers */
export function shardParts(paths: ShardPaths, mark = ''): ShardParts {
  const suffix = mark === '' ? '' : `-${mark}`;
  return {
    output: `${paths.output}.part${suffix}`,
    metrics: `${paths.metrics}.part${suffix}`,
    rejects: `${paths.rejects}.part${suffix}`,
    journal: `${paths.output}.journal${suffix}`,
  };
}

/** The record at the beginning of a shard. */
export const startOfShard: JournalRecord = {
  offset: 0,
  line: 1,
  outputBytes: 0,
  metricsBytes: 0,
  rejectsBytes: 0,
  totals: noTotals,
};

export interface WriterOptions {
  readonly paths: ShardPaths;
  readonly parts: ShardParts;
  readonly fingerprint: string;
  /** The record to continue from; `null` to start from the beginning. The files are at least as long as recorded. */
  readonly from: JournalRecord | null;
  /** Milliseconds between records of the journal. Batches with calls to a model are recorded immediately. */
  readonly checkpointMs: number;
  readonly now: () => number;
}

/**
 * Writes the output of one shard in order. Files get their final names only when they are complete. After a crash, the
 * journal shows how much was written.
 */
export class ShardWriter {
  readonly #options: WriterOptions;
  readonly #files: Readonly<Record<keyof ShardParts, FileHandle>>;
  readonly #isPacked: boolean;
  #record: JournalRecord;
  #recordedAt: number;
  #isRecorded = true;

  static async open(options: WriterOptions): Promise<ShardWriter> {
    const { parts, from, fingerprint } = options;
    const sizes = from && { output: from.outputBytes, metrics: from.metricsBytes, rejects: from.rejectsBytes };
    const files: Partial<Record<keyof ShardParts, FileHandle>> = {};
    try {
      for (const name of ['output', 'metrics', 'rejects'] as const) {
        files[name] = await open(parts[name], sizes ? 'a' : 'w');
        if (sizes) await files[name].truncate(sizes[name]);
      }
      const header: JournalHeader = { version: 1, fingerprint, writer: processMark(process.pid) ?? '' };
      const start = [header, ...(from ? [from] : [])].map((line) => `${JSON.stringify(line)}\n`).join('');
      // Written to a new file and renamed, so that a crash here does not lose the existing journal.
      await writeFile(`${parts.journal}.next`, start);
      await rename(`${parts.journal}.next`, parts.journal);
      files.journal = await open(parts.journal, 'a');
      return new ShardWriter(options, files as Record<keyof ShardParts, FileHandle>);
    } catch (error) {
      await Promise.allSettled(Object.values(files).map((file) => file.close()));
      throw error;
    }
  }

  private constructor(options: WriterOptions, files: Readonly<Record<keyof ShardParts, FileHandle>>) {
    this.#options = options;
    this.#files = files;
    this.#isPacked = options.paths.output.endsWith('.gz');
    this.#record = options.from ?? startOfShard;
    this.#recordedAt = options.now();
  }

  get totals(): RunTotals {
    return this.#record.totals;
  }

  /** Appends the result of the next batch. */
  async commit(result: BatchResult, nextLine: number, endOffset: number): Promise<void> {
    // One gzip member per batch, so that the packed bytes do not depend on where a run was resumed.
    const output = this.#isPacked && result.output.length > 0 ? await pack(result.output) : result.output;
    await Promise.all([
      this.#files.output.appendFile(output),
      this.#files.metrics.appendFile(result.metrics),
      this.#files.rejects.appendFile(result.rejects),
    ]);
    const { outputBytes, metricsBytes, rejectsBytes, totals } = this.#record;
    this.#record = {
      offset: endOffset,
      line: nextLine,
      outputBytes: outputBytes + output.length,
      metricsBytes: metricsBytes + result.metrics.length,
      rejectsBytes: rejectsBytes + result.rejects.length,
      totals: addTotals(totals, result.totals),
    };
    this.#isRecorded = false;
    const isDue = this.#options.now() - this.#recordedAt >= this.#options.checkpointMs;
    if (isDue || result.totals.calls > 0) await this.#checkpoint();
  }

  /**
   * Gives all files their final names, the output last. @param report returns the report to write next to the output
   */
  async finish(report: (record: JournalRecord) => unknown): Promise<JournalRecord> {
    const { paths, parts } = this.#options;
    if (this.#isPacked && this.#record.outputBytes === 0) await this.#appendEmptyMember();
    this.#record = { ...this.#record, done: true };
    await this.#checkpoint();
    await this.close();
    await finishParts(paths, parts, this.#record, report(this.#record));
    return this.#record;
  }

  /** Closes the files. A later run can continue with them. */
  async close(): Promise<void> {
    try {
      if (!this.#isRecorded) await this.#checkpoint();
    } finally {
      await Promise.allSettled(Object.values(this.#files).map((file) => file.close()));
    }
  }

  async #appendEmptyMember(): Promise<void> {
    const member = await pack(new Uint8Array(0));
    await this.#files.output.appendFile(member);
    this.#record = { ...this.#record, outputBytes: member.length };
  }

  async #checkpoint(): Promise<void> {
    const { output, metrics, rejects, journal } = this.#files;
    await Promise.all([output.datasync(), metrics.datasync(), rejects.datasync()]);
    await journal.appendFile(`${JSON.stringify(this.#record)}\n`);
    this.#recordedAt = this.#options.now();
    this.#isRecorded = true;
  }
}

/**
 * Gives finished files their final names. Can be repeated after a crash. The output comes last, because its existence
 * means that the shard is finished.
 */
export async function finishParts(
  paths: ShardPaths,
  parts: ShardParts,
  { rejectsBytes }: JournalRecord,
  report: unknown,
): Promise<void> {
  await renameOnce(parts.metrics, paths.metrics);
  if (rejectsBytes > 0) await renameOnce(parts.rejects, paths.rejects);
  else await Promise.all([rm(parts.rejects, { force: true }), rm(paths.rejects, { force: true })]);
  const next = `${parts.journal}.report`;
  await writeFile(next, `${JSON.stringify(report, null, 2)}\n`);
  await rename(next, paths.report);
  await renameOnce(parts.output, paths.output);
  await rm(parts.journal, { force: true });
}

async function renameOnce(part: string, path: string): Promise<void> {
  try {
    await rename(part, path);
  } catch (error) {
    // Already renamed before a crash.
    if (isMissing(error) && (await stat(path).catch(() => null))) return;
    throw error;
  }
}

/** Removes the temporary files of an unfinished run. */
export async function removeParts(parts: ShardParts): Promise<void> {
  const files = [...Object.values(parts), `${parts.journal}.next`, `${parts.journal}.report`];
  await Promise.all(files.map((file) => rm(file, { force: true })));
}
