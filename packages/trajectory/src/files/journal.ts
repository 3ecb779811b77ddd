import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import type { BatchResult } from './batch.ts';
import { cannotContinue } from './file-failure.ts';
import { readBatches } from './read-batches.ts';

/** A finished batch: a line of a journal. */
export interface JournalEntry extends Omit<BatchResult, 'rejected'> {
  /** Number of lines of the input that are finished with it. */
  readonly lines: number;
}

/** What to do with unfinished runs: `resume-if-same` starts over if none had the same options and input. */
export type OnUnfinished = 'resume' | 'refuse' | 'resume-if-same';

/**
 * The results of a shard until all of them are there. Each run has its own journal, named for its output and its
 * fingerprint. A run whose shard was taken over may still be alive, even suspended: it then continues to write to a deleted
 * file, and cannot finish.
 */
export class Journal {
  readonly path: string;
  /** Ends the names of all temporary files of this run. */
  readonly mark: string;
  /** Number of lines of the input that are finished. */
  lines = 0;
  totals: RunTotals = noTotals;
  readonly #file: FileHandle;

  /**
   * Creates a journal that begins with the entries of the longest one of an earlier run. Removes the others.
   * @throws {PalimpsestError} `RUN_UNFINISHED`
   */
  static async open(output: string, fingerprint: string, onUnfinished: OnUnfinished): Promise<Journal> {
    const prefix = `${basename(output)}.journal-`;
    const names = (await readdir(dirname(output))).filter((name) => name.startsWith(prefix));
    const begun = names.map((name) => join(dirname(output), name));
    const same = begun.filter((path) => path.includes(`.journal-${fingerprint}-`));
    const remedy = `delete "${begun[0]}" to start over`;
    if (begun.length > 0 && onUnfinished === 'refuse')
      throw cannotContinue(output, `an earlier run stopped; resume it, or ${remedy}`);
    if (begun.length > 0 && same.length === 0 && onUnfinished === 'resume')
      throw cannotContinue(
        output,
        `an earlier run had other options or another input; use the same ones, or ${remedy}`,
      );
    const mark = randomUUID();
    const path = `${output}.journal-${fingerprint}-${mark}`;
    const journal = new Journal(path, mark, await open(path, 'wx'));
    const sizes = await Promise.all(same.map(async (file) => ({ file, size: (await stat(file)).size })));
    const [longest] = sizes.sort((one, other) => other.size - one.size);
    if (longest) for await (const entry of readJournal(longest.file)) await journal.append(entry);
    await removeLeftovers(output, journal.mark);
    return journal;
  }

  private constructor(path: string, mark: string, file: FileHandle) {
    this.path = path;
    this.mark = mark;
    this.#file = file;
  }

  /** Appends a finished batch. Killing the process does not lose it; calls to a model also survive a power failure. */
  async append(entry: JournalEntry): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify(entry)}\n`);
    if (entry.totals.calls > 0) await this.#file.datasync();
    this.lines = entry.lines;
    this.totals = addTotals(this.totals, entry.totals);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** The files of an output: for `train.jsonl` or `train.jsonl.gz`, `train.metrics.jsonl` and so on. */
export function filesOf(output: string): Readonly<Record<'output' | 'metrics' | 'rejects' | 'report', string>> {
  const stem = output.replace(/\.gz$/, '').replace(/\.(?:jsonl|ndjson|json)$/, '');
  const [metrics, rejects, report] = [`${stem}.metrics.jsonl`, `${stem}.rejects.jsonl`, `${stem}.report.json`];
  return { output, metrics, rejects, report };
}

/** True for the name of a file that a run writes next to its output. */
export function isByproduct(name: string): boolean {
  return /\.(?:metrics|rejects)\.jsonl$|\.report\.json$|\.(?:journal|part)-[\w-]+$/.test(name);
}

/** Removes what unfinished runs left of an output, except the files of the run with a mark. */
export async function removeLeftovers(output: string, mark?: string): Promise<void> {
  const names = Object.values(filesOf(output)).map((file) => basename(file));
  for (const name of await readdir(dirname(output))) {
    const [, owner] = /^(.*)\.(?:journal|part)-[\w-]+$/.exec(name) ?? [];
    if (owner !== undefined && names.includes(owner) && !(mark && name.endsWith(mark)))
      await rm(join(dirname(output), name), { force: true });
  }
}

/** Reads a journal up to the first damaged entry, which was not yet on disk when its run was killed. */
export async function* readJournal(path: string): AsyncGenerator<JournalEntry> {
  const options = { batchBytes: 0, maxLineBytes: Number.POSITIVE_INFINITY };
  for await (const { lines } of readBatches(createReadStream(path), options))
    for (const line of lines) {
      let entry: JournalEntry;
      try {
        entry = JSON.parse(line as string) as JournalEntry;
      } catch {
        return;
      }
      yield entry;
    }
}
