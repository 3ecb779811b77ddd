import { type Message, PalimpsestError } from '@palimpsest/core';
import { compressRow, type RowResult } from './compress-row.ts';
import { compressTurns } from './compress-turns.ts';
import type { TrajectoryMetrics } from './metrics.ts';
import { readTurns } from './row/read-row.ts';
import type { RawTurn } from './row/turn-format.ts';
import type { TrajectoryOptions } from './trajectory-options.ts';
import { openWorkshop } from './workshop.ts';

/** A turn of a ShareGPT trajectory. Other fields survive untouched. */
export interface ShareGptTurn {
  /** `system`, `human`, `gpt`, `tool`, or one of the names data sets use for them (`user`, `function_call`, ...). */
  readonly from: string;
  readonly value: string;
}

export interface TrajectoryResult<Turn> {
  /** The turns that were given, with the summary in its place; the very same array when nothing was done. */
  readonly turns: readonly Turn[];
  readonly metrics: TrajectoryMetrics;
}

/** Compresses trajectories one by one. Has no state but its tokenizer and its limits on calls; may be used in parallel. */
export interface TrajectoryCompressor {
  /**
   * Compresses turns in ShareGPT or OpenAI chat form. Turns that stay are the same objects.
   * @throws {PalimpsestError} `MESSAGES_INVALID` for what is no trajectory; never for what a summarizer does
   */
  compress<Turn extends ShareGptTurn | Message>(
    turns: readonly Turn[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<TrajectoryResult<Turn | ShareGptTurn | Message>>;
  /** Compresses one line of JSONL, byte by byte the same outside of what is replaced. Rejects nothing: a bad row is a result. */
  compressLine(line: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<RowResult>;
}

/**
 * Prepares a compressor. Loads the tokenizer.
 * @throws {PalimpsestError} `OPTION_INVALID`, all problems at once; `DEPENDENCY_MISSING`
 */
export async function createTrajectoryCompressor(options: TrajectoryOptions = {}): Promise<TrajectoryCompressor> {
  const workshop = await openWorkshop(options);
  return {
    async compress<Turn extends ShareGptTurn | Message>(
      turns: readonly Turn[],
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ) {
      const read = readTurns(turns);
      if ('reason' in read)
        throw new PalimpsestError('MESSAGES_INVALID', `This is no trajectory: ${read.reason}.`, {
          reason: read.reason,
        });
      const { edit, metrics } = await compressTurns(read, workshop, signal);
      if (edit === null) return { turns, metrics };
      const head: unknown[] = turns.slice(0, edit.region.from);
      if (edit.notice) head[edit.notice.at] = read.format.append(head[edit.notice.at] as RawTurn, edit.notice.text);
      const compressed = [...head, edit.summary, ...turns.slice(edit.region.to)];
      return { turns: compressed as (Turn | ShareGptTurn | Message)[], metrics };
    },
    compressLine: (line, lineOptions) => compressRow(line, line.length, workshop, { signal: lineOptions?.signal }),
  };
}
