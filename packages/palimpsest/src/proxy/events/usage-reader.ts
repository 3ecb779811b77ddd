import type { Conversation } from '../../conversations/conversation.ts';
import type { ConversationStats } from '../../conversations/conversation-stats.ts';
import type { ProxyEvent } from './proxy-event.ts';

type Counted = Pick<ConversationStats, 'compactions' | 'sentTokens' | 'savedTokens' | 'cost'>;

const nothing: Counted = { compactions: [], sentTokens: 0, savedTokens: 0, cost: null };

/** Reads what is new in the statistics of conversations. Each figure is in one event. */
export class UsageReader {
  readonly #seen = new WeakMap<object, Counted>();

  /** The events of a conversation since the last call. */
  read({ counter, stats }: Pick<Conversation, 'stats' | 'counter'>, tenant: string | null): readonly ProxyEvent[] {
    const before = this.#seen.get(counter) ?? nothing;
    this.#seen.set(counter, stats);
    const from = { tenant, conversation: { id: stats.id, isHeldOut: stats.isHeldOut } };
    const sentTokens = stats.sentTokens - before.sentTokens;
    const originalTokens = sentTokens + stats.savedTokens - before.savedTokens;
    const paidDollars = Math.max(0, (stats.cost?.paid ?? 0) - (before.cost?.paid ?? 0));
    const originalDollars = Math.max(0, (stats.cost?.uncompacted ?? 0) - (before.cost?.uncompacted ?? 0));
    const isNew = sentTokens > 0 || paidDollars > 0;
    return [
      ...newest(stats, before).map(
        ({ trigger, modelCalls, tokensBefore, tokensAfter }): ProxyEvent => ({
          type: 'compaction',
          ...from,
          trigger,
          writer: modelCalls > 0 ? 'model' : 'rules',
          tokensBefore,
          tokensAfter,
        }),
      ),
      ...(isNew ? [{ type: 'usage' as const, ...from, sentTokens, originalTokens, paidDollars, originalDollars }] : []),
    ];
  }
}

/** The compactions after the last one that was read. */
function newest({ compactions }: Counted, before: Counted): Counted['compactions'] {
  const last = before.compactions.at(-1);
  return last ? compactions.slice(compactions.indexOf(last) + 1) : compactions;
}
