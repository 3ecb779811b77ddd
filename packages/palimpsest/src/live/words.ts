import { count, formatCount } from '@palimpsest/command-line/count';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import { dollars } from '../printing/dollars.ts';
import type { LiveBlock } from './blocks.ts';

/** What was sent and paid so far, and what would have been without compactions, in sentences. Only figures that were counted are in it. */
export function savingWords(
  stats: Pick<
    ConversationStats,
    'compactions' | 'savedTokens' | 'sentTokens' | 'cost' | 'requests' | 'sizes' | 'model'
  >,
  hasPrices: boolean,
): readonly string[] {
  const { compactions, savedTokens, sentTokens, requests, sizes } = stats;
  if (compactions.length === 0)
    return [`Nothing was compacted yet, in ${formatCount(requests, 'request')}: the model gets the whole history.`];
  const tooLong = sizes.filter(({ originalTokens, windowTokens }) => windowTokens > 0 && originalTokens > windowTokens);
  const whole = sentTokens + savedTokens;
  const share = Math.round((savedTokens / Math.max(whole, 1)) * 100);
  const made = formatCount(compactions.length, 'compaction');
  const sent = `${count(sentTokens)} were sent instead of ${count(whole)}`;
  return [
    ...(tooLong.length > 0
      ? [
          `Without compaction, ${count(tooLong.length)} of ${sizes.length < requests ? 'the last ' : ''}${formatCount(sizes.length, 'request')} would not have fit the window.`,
        ]
      : []),
    `${made} saved ${share > 0 ? `${share} %` : 'none'} of the prompt tokens: ${sent}.`,
    paidWords(stats, hasPrices, share),
  ];
}

/** @param share how much less was sent. Percent */
function paidWords(
  { cost, model }: Pick<ConversationStats, 'cost' | 'model'>,
  hasPrices: boolean,
  share: number,
): string {
  if (!cost || !hasPrices) {
    const why = hasPrices ? 'the provider reports no usage' : `no list price of ${model}; give it with --price`;
    return `What that cost is unknown: ${why}.`;
  }
  const { paid, uncompacted } = cost;
  const amounts = `${dollars(paid)} instead of ${dollars(uncompacted)}, summaries included`;
  if (paid > uncompacted) return `It cost ${amounts}: after a compaction, the provider has to cache the new prompt.`;
  const less = (1 - paid / uncompacted) * 100;
  const words = `It cost ${Math.round(less)} % less: ${amounts}`;
  return less < share / 2
    ? `${words}. Most of what was not sent would have come cheaply from the provider's cache.`
    : `${words}.`;
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
  automatic: 'compacts automatically',
  'held-out': 'held out: compacts only when it must',
  paused: 'paused: passes everything on until it must compact',
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
  return `${whole} left the context: ${parts.join(', ')}. The agent itself keeps its whole history.`;
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
