import { chooseRegion, type TurnRange } from './choose-region.ts';
import type { CompressContext } from './compress-context.ts';
import type { TrajectoryMetrics, TrajectoryOutcome } from './metrics.ts';
import type { Turns } from './row/read-row.ts';
import type { RawTurn } from './row/turn-format.ts';
import { hasSystemNotice } from './summary-turn.ts';
import { writeSummaryTurn } from './write-summary-turn.ts';

/** The changes to a trajectory. Everything else stays as it is. */
export interface TurnEdit {
  /** The turns to replace. */
  readonly region: TurnRange;
  /** The turn that replaces them. */
  readonly summary: RawTurn;
  /** A text to append to the system turn `at`, which is before the region; `null` for none. */
  readonly notice: { readonly at: number; readonly text: string } | null;
}

/** Result of {@link compressTurns}. */
export interface CompressedTurns {
  /** `null` if the trajectory stays as it is. */
  readonly edit: TurnEdit | null;
  readonly metrics: TrajectoryMetrics;
}

/** Compresses one trajectory if it is over the target and has turns to replace. Counts each turn once. */
export async function compressTurns(
  { format, turns, kinds }: Turns,
  context: CompressContext,
  signal?: AbortSignal,
): Promise<CompressedTurns> {
  const { settings, counter, clock } = context;
  const started = clock.now();
  const tokens = turns.map((turn) => format.count(turn, counter));
  const totalTokens = tokens.reduce((sum, count) => sum + count, 0);
  const unchanged = (outcome: TrajectoryOutcome, more: Partial<TrajectoryMetrics> = {}): CompressedTurns => ({
    edit: null,
    metrics: {
      ...untouched,
      outcome,
      turnsBefore: turns.length,
      turnsAfter: turns.length,
      tokensBefore: totalTokens,
      tokensAfter: totalTokens,
      stillOverLimit: totalTokens > settings.targetTokens,
      skippedUnderTarget: totalTokens <= settings.targetTokens,
      durationMs: clock.now() - started,
      ...more,
    },
  });
  if (totalTokens <= settings.targetTokens) return unchanged('under-target');

  const choice = chooseRegion({ kinds, tokens, totalTokens, ...settings });
  if (choice.kind !== 'region') return unchanged(choice.kind);
  const { region } = choice;
  const system = settings.notice === false ? -1 : kinds.indexOf('system');
  const noticed =
    system >= 0 && system < region.from && !hasSystemNotice(turns[system], settings.notice as string)
      ? format.append(turns[system]!, settings.notice as string)
      : null;
  const noticeTokens = noticed === null ? 0 : format.count(noticed, counter) - tokens[system]!;
  const keptTokens = totalTokens - choice.tokens + noticeTokens;
  // The notice is deducted from the summary, so that it does not make the region larger.
  const wantedTokens = settings.summaryTokens - noticeTokens;
  const maxTokens = choice.reachesTarget ? Math.max(wantedTokens, settings.targetTokens - keptTokens) : wantedTokens;
  const countTurn = (text: string): number => format.count(format.humanTurn(text, turns), counter);
  const calls = context.openCalls();
  const written = await writeSummaryTurn(
    { read: format.messages(turns), tokens, region, wantedTokens, maxTokens, countTurn, signal },
    context,
    calls,
  );
  const account = { calls: calls?.calls ?? 0, retries: calls?.retries ?? 0, errors: calls?.errors ?? 0 };
  if ('failure' in written) return unchanged('summary-failed', { ...account, failure: written.failure });
  const tokensAfter = keptTokens + written.tokens;
  if (tokensAfter >= totalTokens) return unchanged('summary-too-large', account);
  const length = region.to - region.from;
  return {
    edit: {
      region,
      summary: format.humanTurn(written.text, turns),
      notice: noticed === null ? null : { at: system, text: settings.notice as string },
    },
    metrics: {
      ...untouched,
      ...account,
      outcome: 'compressed',
      turnsBefore: turns.length,
      turnsAfter: turns.length - length + 1,
      tokensBefore: totalTokens,
      tokensAfter,
      ratio: tokensAfter / totalTokens,
      region: { ...region, turns: length, tokens: choice.tokens },
      summaryTokens: written.tokens,
      wasCompressed: true,
      stillOverLimit: tokensAfter > settings.targetTokens,
      durationMs: clock.now() - started,
    },
  };
}

const untouched = {
  ratio: 1,
  region: null,
  summaryTokens: 0,
  calls: 0,
  retries: 0,
  errors: 0,
  wasCompressed: false,
  stillOverLimit: false,
  skippedUnderTarget: false,
  failure: null,
} as const;
