import type { CompressReport, Message, Outcome } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import type { SessionCore, Work } from '../session-core.ts';
import type { CompactionTrigger } from '../session-event.ts';
import { commitCompaction } from './commit-compaction.ts';
import { type Planned, planCompaction } from './plan-compaction.ts';

export interface CompactOptions {
  /** The conversation. @default the one of the last request */
  readonly messages?: readonly Message[] | undefined;
  /** What to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** Keep at least this many of the newest exchanges as they are. */
  readonly keepLastExchanges?: number | undefined;
  /** Say what would be done without doing it. The next `compact` with the same options on the same conversation uses the plan. @default false */
  readonly preview?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What to tell the user who asked for a compaction. */
export interface CompactFeedback {
  /** True when nothing changed, or would. */
  readonly noop: boolean;
  /** Such as `Compressed: 42 -> 11 messages`. */
  readonly headline: string;
  /** The size of the prompt before and after. Figures with `~` are estimates. */
  readonly tokenLine: string;
  /** What else there is to say; `null` when nothing. */
  readonly note: string | null;
  readonly outcome: Outcome | 'failed';
  readonly preview: boolean;
  /** `null` when the engine failed. */
  readonly report: CompressReport | null;
}

/** A plan that was shown and not yet asked for. */
export interface Preview {
  readonly key: string;
  readonly planned: Planned;
}

/** Compacts because somebody asked: in spite of thresholds, strikes and cooldowns. */
export async function compactManually(
  core: SessionCore,
  work: Work,
  options: CompactOptions,
  shown: Preview | null = null,
  trigger: CompactionTrigger = 'manual',
): Promise<{ readonly feedback: CompactFeedback; readonly preview: Preview | null }> {
  const view = core.view(work);
  const { focusTopic, keepLastExchanges, preview = false } = options;
  const key = JSON.stringify([
    focusTopic ?? null,
    keepLastExchanges ?? null,
    view.projection.checkpoint?.number ?? null,
    fingerprint(work.intake.messages),
  ]);
  const wish = { trigger, effort: 'full', force: true, focusTopic, keepLastExchanges } as const;
  const usable = shown?.key === key ? shown.planned : null;
  const planned = usable ?? (await planCompaction(core, work, view, wish));
  if (!planned?.edits) return { feedback: feedback(core, work, planned, preview), preview: null };
  if (preview) {
    if (!usable && planned.engineBefore) core.ready.restore(planned.engineBefore);
    return { feedback: feedback(core, work, planned, true), preview: { key, planned } };
  }
  core.held = false;
  await commitCompaction(core, work, planned);
  return { feedback: feedback(core, work, planned, false), preview: null };
}

function feedback(core: SessionCore, work: Work, planned: Planned | null, preview: boolean): CompactFeedback {
  const now = core.view(work);
  const count = now.assembled.messages.length;
  if (!planned)
    return {
      noop: true,
      headline: `Compression failed: ${messages(count)} unchanged`,
      tokenLine: `Prompt size: ${size(now.size.tokens, now.size.estimatedTokens)} (unchanged)`,
      note: 'The engine failed; the conversation is as it was.',
      outcome: 'failed',
      preview,
      report: null,
    };
  const { result, edits, before } = planned;
  const { report, outcome } = result;
  const from = before.assembled.messages.length;
  const estimated = before.size.estimatedTokens;
  if (!edits)
    return {
      noop: true,
      headline:
        outcome === 'aborted'
          ? `Compression aborted: ${messages(from)} unchanged`
          : `No changes from compression: ${messages(from)}`,
      tokenLine: `Prompt size: ${size(before.size.tokens, estimated)} (unchanged)`,
      note: report.message === '' ? null : report.message,
      outcome,
      preview,
      report,
    };
  const to = preview ? from - before.projection.messages.length + result.messages.length : count;
  const after = preview ? Math.round(report.tokensAfter * before.size.ratio) : now.size.tokens;
  const arrow = `${written(from)} -> ${written(to)} messages`;
  const headline =
    outcome === 'degraded'
      ? `${preview ? 'Would compress' : 'Compressed'} without a summary: ${arrow}`
      : `${preview ? 'Would compress' : 'Compressed'}: ${arrow}`;
  const notes = [
    outcome === 'degraded' || report.warnings.length > 0 || preview ? report.message : '',
    to < from && after > before.size.tokens
      ? 'Fewer messages, but more tokens: what was written in their place is longer than they were. undo() takes it back.'
      : '',
  ].filter((sentence) => sentence !== '');
  return {
    noop: false,
    headline,
    tokenLine: `Prompt size: ${size(before.size.tokens, estimated)} -> ${size(after, after)}`,
    note: notes.length === 0 ? null : notes.join(' '),
    outcome,
    preview,
    report,
  };
}

/** A figure, labelled as an estimate unless the provider reported nearly all of it. */
function size(tokens: number, estimated: number): string {
  return estimated > tokens * 0.02 ? `~${written(tokens)} tokens (estimated)` : `${written(tokens)} tokens`;
}

function messages(count: number): string {
  return `${written(count)} message${count === 1 ? '' : 's'}`;
}

function written(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
