import { compactTurns, type TurnEdit } from './compact-turns.ts';
import type { TrajectoryContext } from './context.ts';
import type { TrajectoryMetrics } from './metrics.ts';
import { elementSpans, fieldSpan } from './row/json-text.ts';
import { type BadRow, type Row, readRow } from './row/read-row.ts';

/** The result for one line of JSONL. */
export type RowResult =
  /** The line stays as it is. */
  | { readonly kind: 'kept'; readonly metrics: TrajectoryMetrics }
  | { readonly kind: 'compacted'; readonly text: string; readonly metrics: TrajectoryMetrics }
  | ({ readonly kind: 'rejected' } & BadRow);

/**
 * Compacts one line of JSONL. Everything outside the replaced turns and the system turn with the notice keeps its
 * bytes: spacing, escapes, long numbers and other fields.
 */
export async function compactRow(text: string, context: TrajectoryContext, signal?: AbortSignal): Promise<RowResult> {
  const row = readRow(text);
  if ('reason' in row) return { kind: 'rejected', reason: row.reason };
  const { edit, metrics } = await compactTurns(row, context, signal);
  return edit === null ? { kind: 'kept', metrics } : { kind: 'compacted', text: editRow(text, row, edit), metrics };
}

function editRow(text: string, { key, format, turns }: Row, { region, summary, notice }: TurnEdit): string {
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
