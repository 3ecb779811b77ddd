import { chooseRegion, type TurnRange } from './choose-region.ts';
import type { TrajectoryContext } from './context.ts';
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

/** The edit, or `null` if the trajectory stays as it is. */
export interface CompactedTurns {
  readonly edit: TurnEdit | null;
  readonly metrics: TrajectoryMetrics;
}

/** Counts each turn, once. If the trajectory is over the target, chooses the turns to replace and has them summarized. */
export async function compactTurns(
  read: Turns,
  context: TrajectoryContext,
  signal?: AbortSignal,
): Promise<CompactedTurns> {
  const started = performance.now();
  const { format, turns, kinds } = read;
  const { settings, counter } = context;
  const tokens = turns.map((turn) => format.count(turn, counter));
  const totalTokens = tokens.reduce((sum, count) => sum + count, 0);
  const size = { turns: turns.length, tokens: totalTokens, targetTokens: settings.targetTokens };
  const choice =
    totalTokens <= settings.targetTokens ? 'under-target' : chooseRegion({ kinds, tokens, totalTokens, ...settings });
  if (typeof choice === 'string') return { edit: null, metrics: metricsWithoutChange(size, choice, started) };
  const { region } = choice;
  const notice = findNotice(read, tokens, region, context);
  const noticeTokens = notice?.tokens ?? 0;
  const keptTokens = totalTokens - choice.tokens + noticeTokens;
  // The notice is deducted from the summary, so that it does not make the region larger.
  const wantedTokens = settings.summaryTokens - noticeTokens;
  const maxTokens = choice.reachesTarget ? Math.max(wantedTokens, settings.targetTokens - keptTokens) : wantedTokens;
  const countTurn = (text: string): number => format.count(format.humanTurn(text, turns), counter);
  const calls = context.openCalls?.() ?? null;
  const order = { read: format.messages(turns), tokens, region, wantedTokens, maxTokens, countTurn, signal };
  const written = await writeSummaryTurn(order, context, calls);
  const metrics = (outcome: TrajectoryOutcome): TrajectoryMetrics => ({
    ...metricsWithoutChange(size, outcome, started),
    ...calls?.account,
  });
  if ('failure' in written) return { edit: null, metrics: { ...metrics('summary-failed'), failure: written.failure } };
  const tokensAfter = keptTokens + written.tokens;
  if (tokensAfter >= totalTokens) return { edit: null, metrics: metrics('summary-too-large') };
  const length = region.to - region.from;
  return {
    edit: { region, summary: format.humanTurn(written.text, turns), notice },
    metrics: {
      ...metrics('compacted'),
      turnsAfter: turns.length - length + 1,
      tokensAfter,
      ratio: tokensAfter / totalTokens,
      region: { ...region, turns: length, tokens: choice.tokens },
      summaryTokens: written.tokens,
      wasCompacted: true,
      stillOverLimit: tokensAfter > settings.targetTokens,
    },
  };
}

/**
 * Finds where to append the notice, and counts the tokens it adds. Returns `null` if notices are off, if the system turn
 * already has the notice, or if there is no system turn before the region.
 */
function findNotice(
  { format, turns, kinds }: Turns,
  tokens: readonly number[],
  region: TurnRange,
  { settings: { notice }, counter }: TrajectoryContext,
): { readonly at: number; readonly text: string; readonly tokens: number } | null {
  if (notice === false) return null;
  const at = kinds.indexOf('system');
  if (at < 0 || at >= region.from || hasSystemNotice(turns[at], notice)) return null;
  return { at, text: notice, tokens: format.count(format.append(turns[at]!, notice), counter) - tokens[at]! };
}

/** Metrics of a trajectory that stays as it is. */
function metricsWithoutChange(
  { turns, tokens, targetTokens }: { readonly turns: number; readonly tokens: number; readonly targetTokens: number },
  outcome: TrajectoryOutcome,
  started: number,
): TrajectoryMetrics {
  return {
    outcome,
    turnsBefore: turns,
    turnsAfter: turns,
    tokensBefore: tokens,
    tokensAfter: tokens,
    ratio: 1,
    region: null,
    summaryTokens: 0,
    calls: 0,
    retries: 0,
    errors: 0,
    wasCompacted: false,
    stillOverLimit: tokens > targetTokens,
    skippedUnderTarget: tokens <= targetTokens,
    failure: null,
    durationMs: performance.now() - started,
  };
}
