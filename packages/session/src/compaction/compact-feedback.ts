import type { CompressReport, Outcome } from '@palimpsest/core';
import { formatNumber } from '@palimpsest/core/authoring';
import type { RequestView } from '../projection/request-view.ts';
import type { PlannedCompaction } from './plan-compaction.ts';

/** The result of `compact`, in words for the user who asked for it. */
export interface CompactFeedback {
  /** True when nothing changed, or would change. */
  readonly noop: boolean;
  /** For example `Compacted: 42 -> 11 messages`. */
  readonly headline: string;
  /** The size of the prompt before and after. Figures with `~` are estimates. */
  readonly tokenLine: string;
  /** Further remarks, or `null`. */
  readonly note: string | null;
  readonly outcome: Outcome | 'failed';
  readonly preview: boolean;
  /** `null` when the engine failed. */
  readonly report: CompressReport | null;
}

/** @param now the request after the compaction */
export function compactFeedback(
  planned: PlannedCompaction | null,
  now: RequestView,
  preview: boolean,
): CompactFeedback {
  if (!planned)
    return {
      noop: true,
      headline: `Compaction failed: ${messages(now.assembled.messages.length)} unchanged`,
      tokenLine: `Prompt size: ${size(now.size.tokens, now.size.estimatedTokens)} (unchanged)`,
      note: 'The engine failed. The conversation was not changed.',
      outcome: 'failed',
      preview,
      report: null,
    };
  return planned.edits ? describeChange(planned, now, preview) : describeNoChange(planned, preview);
}

function describeNoChange({ result, before }: PlannedCompaction, preview: boolean): CompactFeedback {
  const { report, outcome } = result;
  const count = messages(before.assembled.messages.length);
  return {
    noop: true,
    headline: outcome === 'aborted' ? `Compaction aborted: ${count} unchanged` : `No changes from compaction: ${count}`,
    tokenLine: `Prompt size: ${size(before.size.tokens, before.size.estimatedTokens)} (unchanged)`,
    note: report.message === '' ? null : report.message,
    outcome,
    preview,
    report,
  };
}

function describeChange({ result, before }: PlannedCompaction, now: RequestView, preview: boolean): CompactFeedback {
  const { report, outcome } = result;
  const from = before.assembled.messages.length;
  const to = preview
    ? from - before.projection.messages.length + result.messages.length
    : now.assembled.messages.length;
  const after = preview ? Math.round(report.tokensAfter * before.size.ratio) : now.size.tokens;
  const verb = preview ? 'Would compact' : 'Compacted';
  const notes = [
    outcome === 'degraded' || report.warnings.length > 0 || preview ? report.message : '',
    to < from && after > before.size.tokens
      ? 'Fewer messages, but more tokens: the summary is longer than what it replaced. undo() reverts the compaction.'
      : '',
  ].filter((sentence) => sentence !== '');
  return {
    noop: false,
    headline: `${verb}${outcome === 'degraded' ? ' without a summary' : ''}: ${formatNumber(from)} -> ${formatNumber(to)} messages`,
    tokenLine: `Prompt size: ${size(before.size.tokens, before.size.estimatedTokens)} -> ${size(after, after)}`,
    note: notes.length === 0 ? null : notes.join(' '),
    outcome,
    preview,
    report,
  };
}

/** Formats a token count, labelled as an estimate unless the provider reported nearly all of it. */
function size(tokens: number, estimated: number): string {
  return estimated > tokens * 0.02 ? `~${formatNumber(tokens)} tokens (estimated)` : `${formatNumber(tokens)} tokens`;
}

function messages(count: number): string {
  return `${formatNumber(count)} message${count === 1 ? '' : 's'}`;
}
