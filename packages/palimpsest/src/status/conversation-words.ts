import { count } from '@palimpsest/command-line/count';
import { dollars } from '../comparison/dollars.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';

/** What the proxy did for a conversation, in sentences of HTML. Only figures that were counted are in them. */
export function conversationWords({
  compactions,
  savedTokens,
  cost,
  cachedShare,
  sizes,
}: Pick<ConversationStats, 'compactions' | 'savedTokens' | 'cost' | 'cachedShare' | 'sizes'>): string {
  const last = sizes.at(-1);
  const window = last && last.windowTokens > 0 ? ` of ${count(last.windowTokens)}` : '';
  const cached = cachedShare === null ? '' : `, ${Math.round(cachedShare * 100)}% of it from the cache`;
  const now = last ? ` The prompt has ${count(last.tokens)}${window} tokens${cached}.` : '';
  if (compactions.length === 0) return `Not compacted yet.${now}`;
  const times = compactions.length === 1 ? 'once' : `${count(compactions.length)} times`;
  return `Compacted <strong>${times}</strong>: <strong>${count(Math.max(0, savedTokens))}</strong> prompt tokens were not sent${costWords(cost)}.${now}`;
}

function costWords(cost: ConversationStats['cost']): string {
  if (!cost) return ' (cost unknown)';
  const saved = cost.uncompacted - cost.paid;
  return saved >= 0
    ? `, about <strong>${dollars(saved)}</strong> at list prices`
    : `, which cost about <strong>${dollars(-saved)}</strong> more at list prices`;
}
