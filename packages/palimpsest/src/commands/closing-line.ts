import { count, formatCount } from '@palimpsest/command-line/count';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import { dollars } from '../printing/dollars.ts';

/** What a proxy did for all its conversations, or would have done, in one line. */
export function closingLine(conversations: readonly ConversationStats[], isObserving: boolean): string {
  const sum = (of: (stats: ConversationStats) => number): number =>
    conversations.reduce((total, stats) => total + of(stats), 0);
  const requests = sum((stats) => stats.requests);
  if (requests === 0)
    return 'no conversation came through the proxy. If the agent got answers, it did not use the address of the proxy: check for a base URL in its own settings, and for a login instead of an API key; see "Run an agent" in the documentation';
  const compactions = formatCount(
    sum((stats) => stats.compactions.length),
    'compaction',
  );
  const [sent, saved] = [sum((stats) => stats.sentTokens), sum((stats) => stats.savedTokens)];
  const would = isObserving ? ' would have been sent' : '';
  const tokens = `${count(sent)} prompt tokens${would}${saved > 0 ? ` instead of ${count(sent + saved)}` : ''}`;
  // A proxy that runs for long has dropped conversations.
  const where = isObserving ? ` of the ${formatCount(conversations.length, 'conversation')} in memory` : '';
  return `${compactions} in ${formatCount(requests, 'request')}${where}; ${tokens}${isObserving ? '' : costs(conversations)}`;
}

/** What the conversations cost, and would have cost. Unknown if a model has no list price, or a provider reports no usage. */
function costs(conversations: readonly ConversationStats[]): string {
  const known = conversations.flatMap(({ cost }) => cost ?? []);
  if (known.length < conversations.length) return ', cost unknown (--price gives the prices)';
  const [paid, uncompacted] = (['paid', 'uncompacted'] as const).map((name) =>
    dollars(known.reduce((total, cost) => total + cost[name], 0)),
  );
  return paid === uncompacted ? `, ${paid} at list prices` : `, ${paid} instead of ${uncompacted} at list prices`;
}
