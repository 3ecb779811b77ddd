import { stat } from 'node:fs/promises';
import { checkOptions, functionRule, type OptionRules, switchRule, textRule } from '@palimpsest/core/authoring';
import { addTotals, noTotals, type RunTotals, ratioOf } from '../metrics.ts';
import { compactShard, type ShardReport } from './compact-shard.ts';
import { findShards } from './find-inputs.ts';
import { type RunOptions, runRules, withRun } from './run.ts';

/** The progress of a run over files. */
export interface FilesProgress {
  /** Bytes read from all inputs, as they are on disk, packed or not. */
  readonly bytes: number;
  readonly totalBytes: number;
  readonly totals: RunTotals;
}

export interface FilesOptions extends RunOptions {
  /** The output file, or a folder if there are several inputs or the input is a folder. */
  readonly out: string;
  /**
   * Continue where an earlier run stopped, and skip the files that it finished. Without it, an unfinished run is an error.
   * @default false
   */
  readonly resume?: boolean | undefined;
  readonly onProgress?: ((progress: FilesProgress) => void) | undefined;
  readonly onRejected?: ((file: string, line: number, reason: string) => void) | undefined;
}

const rules: OptionRules = {
  ...runRules,
  out: { ...textRule, isRequired: true },
  resume: switchRule,
  onProgress: functionRule,
  onRejected: functionRule,
};

/** The result of a run over files. */
export interface FilesReport {
  readonly totals: RunTotals;
  /** `tokensAfter / tokensBefore`; 1 if there were no tokens. */
  readonly ratio: number;
  /** Elapsed time in milliseconds. */
  readonly wallMs: number;
  /** One report per file, in order. */
  readonly shards: readonly ShardReport[];
}

/**
 * Compacts JSONL files, plain or gzipped, or folders of them. An output file appears only when it is complete. Next
 * to it are `.metrics.jsonl`, `.report.json` and, if rows were rejected, `.rejects.jsonl`.
 * @throws {PalimpsestError} `OPTION_INVALID`, `FILE_FAILED`, `RUN_UNFINISHED`; `SUMMARIZER_FAILED` if the summarizer
 * keeps failing (finished rows are kept). Also throws the reason of `signal`
 */
export async function compactFiles(inputs: readonly string[], options: FilesOptions): Promise<FilesReport> {
  checkOptions('compactFiles', options, rules);
  const started = Date.now();
  const { out, resume = false, onProgress, onRejected } = options;
  const files = await findShards(inputs, out, process.cwd());
  const sizes = await Promise.all(files.map(async ({ input }) => (await stat(input)).size));
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  const shards: ShardReport[] = [];
  let totals = noTotals;
  let finishedBytes = 0;
  await withRun(options, async (run) => {
    for (const [index, { input, output }] of files.entries()) {
      const report = await compactShard({
        input,
        output,
        run,
        unfinished: resume ? 'resume' : 'refuse',
        onProgress: (bytes, shardTotals) =>
          onProgress?.({ bytes: finishedBytes + bytes, totalBytes, totals: addTotals(totals, shardTotals) }),
        onRejected: (line, reason) => onRejected?.(input, line, reason),
      });
      shards.push(report);
      totals = addTotals(totals, report.totals);
      finishedBytes += sizes[index]!;
    }
  });
  return { totals, ratio: ratioOf(totals), wallMs: Date.now() - started, shards };
}
