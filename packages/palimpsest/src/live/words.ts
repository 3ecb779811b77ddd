import { count, formatCount } from '@palimpsest/command-line/count';
import { dollars } from '../comparison/dollars.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import type { LiveBlock } from './blocks.ts';

/** What was saved so far, against what. Only figures that were counted are in it. */
export function savingWords(
  stats: Pick<ConversationStats, 'compactions' | 'savedTokens' | 'cost' | 'requests' | 'model'>,
  hasPrices: boolean,
): string {
  const { compactions, cost, model, savedTokens, requests } = stats;
  const requestsSoFar = formatCount(requests, 'request');
  if (compactions.length === 0)
    return `Nothing was compacted yet, in ${requestsSoFar}: the model gets the whole history.`;
  const made = `${formatCount(compactions.length, 'compaction')} in ${requestsSoFar}`;
  const tokens = `${count(Math.abs(savedTokens))} prompt tokens`;
  const saved = cost && hasPrices ? cost.uncompacted - cost.paid : null;
  if (saved !== null && saved < 0)
    return `Sent ${tokens} ${savedTokens >= 0 ? 'fewer' : 'more'} than the whole history has, but paid ${dollars(-saved)} more: after a compaction, the provider has to cache the new prompt. ${made}.`;
  const amount =
    saved !== null
      ? ` and ${dollars(saved)}`
      : ` (dollars unknown: ${hasPrices ? 'the provider reports no usage' : `no list price of ${model}; give it with --price`})`;
  return `${savedTokens >= 0 ? 'Saved' : 'Sent'} ${tokens}${savedTokens >= 0 ? '' : ' more'}${amount} so far, against sending the whole history: ${made}.`;
}

/** What the context holds, and what comes next. */
export function contextWords({
  sizes,
  cachedShare,
  compactsAt,
  mode,
}: Pick<ConversationStats, 'sizes' | 'cachedShare'> & {
  readonly compactsAt: number | null;
  readonly mode: LiveMode;
}): string {
  const last = sizes.at(-1);
  if (!last) return 'No request yet.';
  const { tokens, windowTokens } = last;
  const window = windowTokens > 0 ? ` of ${count(windowTokens)}` : '';
  const share = windowTokens > 0 ? ` (${Math.round((tokens / windowTokens) * 100)} %)` : '';
  const cached = cachedShare === null ? '' : `, ${Math.round(cachedShare * 100)} % of it from the provider's cache`;
  const next =
    compactsAt === null
      ? ''
      : mode === 'automatic'
        ? ` The next compaction is at ${count(compactsAt)}.`
        : ` It is compacted only when it no longer fits, above ${count(compactsAt)}.`;
  return `The context holds ${count(tokens)}${window} tokens${share}${cached}.${next}`;
}

/** When a conversation is compacted: by itself, only when it must be because of `--holdout`, or because it is paused. */
export type LiveMode = 'automatic' | 'held-out' | 'paused';

export const modeWords: Readonly<Record<LiveMode, string>> = {
  automatic: 'compacted automatically',
  'held-out': 'held out: compacted only when it must be',
  paused: 'paused: passed on as it is until it must be compacted',
};

/** What left the context, and how; `null` if nothing did. */
export function removalWords(blocks: readonly LiveBlock[]): string | null {
  const left = blocks.filter(({ tokens }) => tokens > 0);
  if (left.length === 0) return null;
  const sum = (some: readonly LiveBlock[]): number => some.reduce((total, { tokens }) => total + tokens, 0);
  const parts = (
    [
      ['summarized', 'summarized'],
      ['rewritten', 'cut from results'],
      ['dropped', 'dropped'],
    ] as const
  ).flatMap(([look, words]) => {
    const tokens = sum(left.filter((block) => block.look === look));
    return tokens > 0 ? [`${count(tokens)} ${words}`] : [];
  });
  const whole = `${count(sum(left))} tokens of ${formatCount(left.length, 'message')}`;
  return `${whole} left the context: ${parts.join(', ')}. The agent still has them.`;
}

/** How long ago something was. */
export function agoWords(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}

/** A time of day, in the zone of this machine. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
