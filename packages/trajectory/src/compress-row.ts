import { compressTurns, type MeasuredTurns, measureTurns, type TurnEdit, unchangedMetrics } from './compress-turns.ts';
import type { CompressContext } from './context.ts';
import type { TrajectoryMetrics } from './metrics.ts';
import { elementSpans, fieldSpan } from './row/json-text.ts';
import { type BadRow, type Row, readRow } from './row/read-row.ts';

/** The result for one line of JSONL. */
export type RowResult =
  /** The line stays as it is. */
  | { readonly kind: 'kept'; readonly metrics: TrajectoryMetrics }
  | { readonly kind: 'compressed'; readonly text: string; readonly metrics: TrajectoryMetrics }
  | ({ readonly kind: 'rejected' } & BadRow);

/** A row with turns to replace. Plain data: it can be sent to another thread. */
export interface OverRow {
  readonly kind: 'over';
  readonly measured: MeasuredTurns;
}

/** Counts a row. The result is final unless it is an {@link OverRow}. */
export function countRow(text: string, context: CompressContext): RowResult | OverRow {
  const row = readRow(text);
  if ('reason' in row) return { kind: 'rejected', reason: row.reason };
  const measured = measureTurns(row, context);
  if (typeof measured.choice !== 'string') return { kind: 'over', measured };
  return { kind: 'kept', metrics: unchangedMetrics(measured, measured.choice, context) };
}

/**
 * Compresses one line of JSONL. Everything outside the replaced turns and the system turn with the notice keeps its
 * bytes: spacing, escapes, long numbers and other fields.
 * @param counted the result of {@link countRow}
 */
export async function compressRow(
  text: string,
  counted: RowResult | OverRow,
  context: CompressContext,
  signal?: AbortSignal,
): Promise<RowResult> {
  if (counted.kind !== 'over') return counted;
  const row = readRow(text) as Row;
  const { edit, metrics } = await compressTurns(row, counted.measured, context, signal);
  return edit === null ? { kind: 'kept', metrics } : { kind: 'compressed', text: edited(text, row, edit), metrics };
}

function edited(text: string, { key, format, turns }: Row, { region, summary, notice }: TurnEdit): string {
  const spans = elementSpans(text, fieldSpan(text, key)!);
  const from = spans[region.from]!.start;
  const to = spans[region.to - 1]!.end;
  const tail = JSON.stringify(summary) + text.slice(to);
  if (notice === null) return text.slice(0, from) + tail;
  const turn = spans[notice.at]!;
  const field = fieldSpan(text, format.textField, turn.start);
  const isText = field !== null && text[field.start] === '"';
  const changed = isText
    ? text.slice(turn.start, field.end - 1) + JSON.stringify(notice.text).slice(1) + text.slice(field.end, turn.end)
    : JSON.stringify(format.append(turns[notice.at]!, notice.text));
  return text.slice(0, turn.start) + changed + text.slice(turn.end, from) + tail;
}
