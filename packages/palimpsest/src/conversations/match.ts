import { commonLength, type HistoryChain } from './history-chain.ts';

/** What identifies a conversation. */
export interface Identity {
  /** Provider and wire format. Conversations of two scopes have nothing in common. */
  readonly scope: string;
  /** See {@link agentKey}. */
  readonly key: string;
  /** Of the newest request. */
  readonly chain: HistoryChain;
  /** The index in the chain of the first answer; 0 before there is one. */
  readonly opening: number;
}

/** Where a request belongs. */
export type Match<C> =
  /** It continues a conversation: same beginning, longer end. */
  | { readonly kind: 'continues'; readonly conversation: C }
  /**
   * It shares a beginning with a conversation. It becomes a new one, which inherits the compactions that still apply.
   */
  | { readonly kind: 'branches'; readonly from: C }
  | { readonly kind: 'new' };

/** Messages at the end of a history that may change in the next request: agents add reminders there and remove them again. */
export const changingEnd = 2;

type Matched = Pick<Identity, 'scope' | 'key' | 'chain'>;

/**
 * Finds the conversation of a request.
 * @param known the most recently used first
 */
export function matchConversation<C extends Matched>(request: Matched, known: Iterable<C>): Match<C> {
  let continued: { readonly conversation: C; readonly common: number } | null = null;
  let nearest: { readonly conversation: C; readonly common: number } | null = null;
  for (const conversation of known) {
    if (conversation.scope !== request.scope) continue;
    const common = commonLength(conversation.chain, request.chain);
    if (common === 0) continue;
    const isContinued = conversation.key === request.key && common >= conversation.chain.length - changingEnd;
    if (isContinued && common > (continued?.common ?? 0)) continued = { conversation, common };
    if (common > (nearest?.common ?? 0)) nearest = { conversation, common };
  }
  // Also if another conversation shares a longer beginning, as happens after a rewind.
  if (continued) return { kind: 'continues', conversation: continued.conversation };
  return nearest ? { kind: 'branches', from: nearest.conversation } : { kind: 'new' };
}

/** The conversation that a request continues or branches from; `null` for a new one. */
export function nearestOf<C>(match: Match<C>): C | null {
  return match.kind === 'continues' ? match.conversation : match.kind === 'branches' ? match.from : null;
}
