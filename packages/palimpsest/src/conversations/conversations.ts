import type { IncomingHttpHeaders } from 'node:http';
import { agentKey, unnamedKey } from './agent-key.ts';
import { Conversation } from './conversation.ts';
import type { ConversationStats } from './conversation-stats.ts';
import type { StoredConversation } from './conversation-store.ts';
import { chainOf } from './history-chain.ts';
import { type Identity, type Match, matchConversation, nearestOf } from './match.ts';
import { hasOwnSummary } from './own-compaction.ts';
import type { ConversationRequest } from './read-conversation.ts';
import type { SessionMaker } from './session-maker.ts';

/** How many conversations stay open, and for how long. */
export interface ConversationLimits {
  /** Maximum number. The least recently used one is dropped first. @default 32 */
  readonly maxConversations: number;
  /** Milliseconds after which an unused one is dropped. @default 4 hours */
  readonly idleMs: number;
}

export const defaultLimits: ConversationLimits = { maxConversations: 32, idleMs: 4 * 3_600_000 };

/** Maximum number of stored conversations that requests are matched with. */
const maxStoredRecords = 500;

/** The conversations of a proxy. Assigns requests to them, and drops idle ones. */
export class Conversations {
  readonly #maker: SessionMaker;
  readonly #asideMaker: SessionMaker;
  readonly #limits: ConversationLimits;
  /** The least recently used first. */
  readonly #open = new Set<Conversation>();
  /** In the store, by id, the least recently used first. They are matched like open ones, and opened on use. */
  readonly #stored = new Map<string, StoredConversation>();

  /**
   * @param asideMaker makes the sessions of {@link aside}, which are not stored
   * @param stored conversations of an earlier run, the most recently used first
   */
  constructor(
    maker: SessionMaker,
    asideMaker: SessionMaker,
    limits: ConversationLimits,
    stored: readonly StoredConversation[] = [],
  ) {
    this.#maker = maker;
    this.#asideMaker = asideMaker;
    this.#limits = limits;
    for (const conversation of [...stored].reverse()) this.noteStored(conversation);
  }

  /** Statistics of each open conversation, the most recently used first. */
  get stats(): readonly ConversationStats[] {
    return this.open.map(({ stats }) => stats);
  }

  /** The open conversations, the most recently used first. */
  get open(): readonly Conversation[] {
    return [...this.#open].reverse();
  }

  /** The open conversations whose history is in memory, the most recently used first. */
  get searchable(): readonly Conversation[] {
    return this.open.filter(({ newest }) => newest !== null);
  }

  /** The conversation that a request belongs to. */
  find(request: ConversationRequest, headers: IncomingHttpHeaders, upstream: string): Conversation {
    this.#dropIdle();
    const { body, model, wire } = request;
    const { identity, match } = this.#match(request, headers, upstream);
    const conversation =
      match.kind === 'continues'
        ? this.#asOpen(match.conversation)
        : new Conversation(identity, this.#maker, match.kind === 'branches' ? this.#asOpen(match.from) : null);
    conversation.chain = identity.chain;
    conversation.isSummarized = false;
    conversation.model = model;
    conversation.newest = { body, wire };
    conversation.agent = String(headers['user-agent'] ?? '');
    this.#use(conversation);
    return conversation;
  }

  /**
   * Returns a separate conversation for one request. It inherits the compactions that apply to the request. The
   * conversation that the request belongs to stays unchanged.
   */
  aside(request: ConversationRequest, headers: IncomingHttpHeaders, upstream: string): Conversation {
    const { identity, match } = this.#match(request, headers, upstream);
    const from = nearestOf(match);
    const conversation = new Conversation(identity, this.#asideMaker, from && this.#asOpen(from));
    conversation.model = request.model;
    return conversation;
  }

  /** Drops the least recently used open conversations of the scopes that begin with `scope`, down to `most`. */
  keepAtMost(most: number, scope: string): void {
    const own = [...this.#open].filter((one) => one.scope.startsWith(scope));
    for (const conversation of own.slice(0, Math.max(0, own.length - most))) this.#drop(conversation);
  }

  /** Notes that the agent asked for a summary of a conversation. @param request the request for it */
  noteOwnCompaction(request: ConversationRequest, headers: IncomingHttpHeaders, upstream: string): void {
    const nearest = nearestOf(this.#match(request, headers, upstream).match);
    if (nearest instanceof Conversation) nearest.isSummarized = true;
  }

  #match(
    request: ConversationRequest,
    headers: IncomingHttpHeaders,
    upstream: string,
  ): { readonly identity: Identity; readonly match: Match<Conversation | StoredConversation> } {
    const { identity: names, items, wire } = request;
    const identity = { scope: `${upstream} ${wire.name}`, key: agentKey(headers, names), chain: chainOf(items) };
    const match = matchConversation(identity, this.#all());
    const compacted = match.kind === 'continues' ? undefined : this.#findCompacted(request, identity);
    return { identity, match: compacted ? { kind: 'continues', conversation: compacted } : match };
  }

  /**
   * The conversation whose history the agent itself has replaced by a summary, after asking for one. It continues, so that
   * search finds what the agent removed.
   */
  #findCompacted(request: ConversationRequest, { scope, key }: Identity): Conversation | undefined {
    if (key === unnamedKey || !hasOwnSummary(request)) return undefined;
    return this.open.find((known) => known.scope === scope && known.key === key && known.isSummarized);
  }

  /** Remembers that a conversation is in the store. */
  noteStored(conversation: StoredConversation): void {
    this.#stored.delete(conversation.id);
    this.#stored.set(conversation.id, conversation);
    if (this.#stored.size > maxStoredRecords) this.#stored.delete(oldestOfLargest(this.#stored.values()).id);
  }

  /** Ends all sessions, after their state is stored. */
  async end(): Promise<void> {
    await Promise.all([...this.#open].map((conversation) => conversation.end()));
  }

  *#all(): Generator<Conversation | StoredConversation> {
    yield* [...this.#open].reverse();
    const open = new Set([...this.#open].map(({ id }) => id));
    for (const stored of [...this.#stored.values()].reverse()) if (!open.has(stored.id)) yield stored;
  }

  #asOpen(found: Conversation | StoredConversation): Conversation {
    if (found instanceof Conversation) return found;
    const conversation = new Conversation(found, this.#maker);
    this.#use(conversation);
    return conversation;
  }

  #use(conversation: Conversation): void {
    conversation.lastUsed = this.#maker.now();
    this.#open.delete(conversation);
    this.#open.add(conversation);
    if (this.#open.size > this.#limits.maxConversations) this.#drop(oldestOfLargest(this.#open));
  }

  #dropIdle(): void {
    const before = this.#maker.now() - this.#limits.idleMs;
    for (const conversation of this.#open) {
      if (conversation.lastUsed >= before) return;
      this.#drop(conversation);
    }
  }

  #drop(conversation: Conversation): void {
    this.#open.delete(conversation);
    // A request that is still running keeps its session until it ends.
    void conversation.end().catch(() => undefined);
  }
}

/** The oldest conversation of the tenant with the most, so that no tenant removes conversations of another. */
function oldestOfLargest<C extends Identity>(conversations: Iterable<C>): C {
  const byTenant = new Map<string, C[]>();
  for (const one of conversations) {
    const tenant = tenantOf(one);
    const own = byTenant.get(tenant);
    if (own) own.push(one);
    else byTenant.set(tenant, [one]);
  }
  const [largest = []] = [...byTenant.values()].sort((a, b) => b.length - a.length);
  return largest[0]!;
}

/** The beginning of the scope; the same for all conversations of a proxy without tenants. */
function tenantOf({ scope }: Identity): string {
  return scope.slice(0, scope.indexOf('/') + 1);
}
