import { type Message, PalimpsestError } from '@palimpsest/core';
import { checkOptions, choiceRule, type OptionRules } from '@palimpsest/core/authoring';
import type { ShareGptTurn } from '@palimpsest/formats';
import { compactRow, type RowResult } from './compact-row.ts';
import { compactTurns } from './compact-turns.ts';
import { createContext } from './context.ts';
import type { TrajectoryMetrics } from './metrics.ts';
import { functionRules, resolveSettings, type TrajectoryOptions } from './options.ts';
import { readTurns } from './row/read-row.ts';
import type { RawTurn } from './row/turn-format.ts';

/** The result for one trajectory. */
export interface TrajectoryResult<Turn> {
  /** The turns, with the summary inserted; the same array as the input if nothing was changed. */
  readonly turns: readonly Turn[];
  readonly metrics: TrajectoryMetrics;
}

/** Compacts single trajectories. Can be used concurrently: its only state is the tokenizer and the limits on calls. */
export interface TrajectoryCompactor {
  /**
   * Compacts turns in ShareGPT or OpenAI chat format. Unchanged turns are the same objects.
   * @throws {PalimpsestError} `MESSAGES_INVALID` if the turns are not a trajectory; a failed summary does not throw
   */
  compact<Turn extends ShareGptTurn | Message>(
    turns: readonly Turn[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<TrajectoryResult<Turn | ShareGptTurn | Message>>;
  /**
   * Compacts one line of JSONL. Text outside the edits keeps its bytes. An invalid row gives a result, not an error.
   */
  compactLine(line: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<RowResult>;
}

const compactorRules: OptionRules = {
  ...functionRules,
  encoding: choiceRule(['o200k_base', 'cl100k_base']),
};

/**
 * Creates a compactor and loads its tokenizer.
 * @throws {PalimpsestError} `OPTION_INVALID`, all problems at once; `DEPENDENCY_MISSING`
 */
export async function createTrajectoryCompactor(options: TrajectoryOptions = {}): Promise<TrajectoryCompactor> {
  checkOptions('createTrajectoryCompactor', options, compactorRules);
  const context = await createContext(resolveSettings(options), options);
  return {
    async compact<Turn extends ShareGptTurn | Message>(
      turns: readonly Turn[],
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ) {
      const read = readTurns(turns);
      if ('reason' in read)
        throw new PalimpsestError('MESSAGES_INVALID', `The turns are not a trajectory: ${read.reason}.`, {
          reason: read.reason,
        });
      const { edit, metrics } = await compactTurns(read, context, signal);
      if (edit === null) return { turns, metrics };
      const head: unknown[] = turns.slice(0, edit.region.from);
      if (edit.notice) head[edit.notice.at] = read.format.append(head[edit.notice.at] as RawTurn, edit.notice.text);
      const compacted = [...head, edit.summary, ...turns.slice(edit.region.to)];
      return { turns: compacted as (Turn | ShareGptTurn | Message)[], metrics };
    },
    compactLine: (line, lineOptions) => compactRow(line, context, lineOptions?.signal),
  };
}
