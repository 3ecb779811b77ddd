import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { agentKey, unnamedKey } from './agent-key.ts';
import { Conversation } from './conversation.ts';
import type { ConversationStats } from './conversation-stats.ts';
import { commonLength } from './history-chain.ts';
import { type Identity, matchConversation, nearestOf } from './match.ts';
import { continues, forkOf, readHistory, tenantOf } from './opening.ts';
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

/** Maximum number of earlier histories by which a conversation is found. */
const maxEarlierChains = 4;

/** The conversations of a proxy. Assigns requests to them, and drops idle ones. */
export class Conversations {
  readonly #maker: SessionMaker;
  readonly #asideMaker: SessionMaker;
  readonly #limits: ConversationLimits;
  /** By id, the least recently used first. */
  readonly #open = new Map<string, Conversation>();

  /** @param asideMaker makes the sessions of {@link aside}, which are not stored */
  constructor(maker: SessionMaker, asideMaker: SessionMaker, limits: ConversationLimits) {
    this.#maker = maker;
    this.#asideMaker = asideMaker;
    this.#limits = limits;
  }

  /** Statistics of each open conversation, the most recently used first. */
  get stats(): readonly ConversationStats[] {
    return this.open.map(({ stats }) => stats);
  }

  /** The open conversations, the most recently used first. */
  get open(): readonly Conversation[] {
    return [...this.#open.values()].reverse();
  }

  /** The open conversations whose history is in memory, the most recently used first. */
  get searchable(): readonly Conversation[] {
    return this.open.filter(({ newest }) => newest !== null);
  }

  /** The conversation that a request belongs to. */
  async find(request: ConversationRequest, headers: IncomingHttpHeaders, upstream: string): Promise<Conversation> {
    this.#dropIdle();
    const { body, model, wire } = request;
    const identity = identityOf(request, headers, upstream);
    const conversation = await this.#locate(request, identity);
    conversation.chain = identity.chain;
    conversation.opening = identity.opening;
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
  async aside(request: ConversationRequest, headers: IncomingHttpHeaders, upstream: string): Promise<Conversation> {
    const identity = identityOf(request, headers, upstream);
    const found = this.#nearest(identity).found ?? (await this.#findStored(identity));
    const conversation = new Conversation({ ...identity, id: randomUUID() }, this.#asideMaker, found);
    conversation.model = request.model;
    return conversation;
  }

  /** Drops the least recently used open conversations of the scopes that begin with `scope`, down to `max`. */
  keepAtMost(max: number, scope: string): void {
    const own = [...this.#open.values()].filter((one) => one.scope.startsWith(scope));
    for (const conversation of own.slice(0, Math.max(0, own.length - max))) this.#drop(conversation);
  }

  /** Notes that the agent asked for a summary of a conversation. @param request the request for it */
  noteOwnCompaction(request: ConversationRequest, headers: IncomingHttpHeaders, upstream: string): void {
    const { found } = this.#nearest(identityOf(request, headers, upstream));
    if (found) found.isSummarized = true;
  }

  /** Finds the conversation of a request, or creates it. */
  async #locate(request: ConversationRequest, identity: Identity): Promise<Conversation> {
    const { index } = this.#maker;
    let isRead = index.isBehind(identity);
    if (isRead) await index.read(identity);
    for (;;) {
      const known = this.#open.get(index.ids(identity).id);
      if (known) {
        if (!this.#isForked(known, identity)) return known;
        await index.add(identity, forkOf(known.chain, identity));
        if (index.ids(identity).id === known.id) return known;
      } else if (isRead) return this.#continueOwn(request, identity) ?? this.#create(identity);
      else await index.read(identity);
      isRead = true;
    }
  }

  /**
   * True if a conversation continues with one history and a request with another, so that they become two conversations. After
   * a rewind, or if its agent changes old messages, a conversation continues only with the new history.
   */
  #isForked(known: Conversation, identity: Identity): boolean {
    // Without a common beginning, its history was replaced by a summary.
    if (continues(known.chain, identity) || commonLength(known.chain, identity.chain) === 0) return false;
    if (known.earlierChains.some((chain) => continues(chain, identity))) return true;
    known.earlierChains = [known.chain, ...known.earlierChains].slice(0, maxEarlierChains);
    return false;
  }

  #create(identity: Identity): Conversation {
    const { id, earlier, first } = this.#maker.index.ids(identity);
    const { found, isContinued } = this.#nearest(identity);
    const isSuccessor = found !== null && isContinued && [...earlier, first].includes(found.id);
    // Nothing before the first answer was compacted.
    const isRelated = found !== null && commonLength(found.chain, identity.chain) > Math.max(identity.opening, 1);
    const parent = isSuccessor || isRelated ? found : this.#findRelated(identity);
    const conversation = new Conversation({ ...identity, id }, this.#maker, parent);
    if (isSuccessor) {
      conversation.succeed(found);
      this.#open.delete(found.id);
    }
    this.#use(conversation);
    return conversation;
  }

  /** The open conversation that shares the longest beginning with a request. */
  #nearest(identity: Identity): { readonly found: Conversation | null; readonly isContinued: boolean } {
    const match = matchConversation(identity, this.open);
    return { found: nearestOf(match), isContinued: match.kind === 'continues' };
  }

  /** The conversation of a request that another process served; `null` without a store. */
  async #findStored(identity: Identity): Promise<Conversation | null> {
    const { index } = this.#maker;
    if (!index.isStored) return null;
    await index.read(identity);
    return new Conversation({ ...identity, id: index.ids(identity).id }, this.#maker, this.#findRelated(identity));
  }

  /** The stored conversation that a new one begins with: the one it was a part of, or one of another session of the agent. */
  #findRelated(identity: Identity): Conversation | null {
    const { index } = this.#maker;
    if (!index.isStored) return null;
    const { id, earlier } = index.ids(identity);
    const [other] = index.relativesOf(identity, id).filter((relative) => !earlier.includes(relative));
    const ids = other === undefined ? earlier : [...earlier, other];
    return ids.reduceRight<Conversation | null>(
      (parent, each) => new Conversation({ ...identity, id: each }, this.#maker, parent),
      null,
    );
  }

  /**
   * The conversation whose history the agent itself has replaced by a summary, after asking for one. It continues, so that
   * search finds what the agent removed.
   */
  #continueOwn(request: ConversationRequest, identity: Identity): Conversation | undefined {
    const { scope, key } = identity;
    // Another process does not know what this process was asked.
    if (this.#maker.index.isShared || key === unnamedKey || !hasOwnSummary(request)) return undefined;
    const found = this.open.find((known) => known.scope === scope && known.key === key && known.isSummarized);
    if (!found) return undefined;
    const { id, isHeldOut, chain } = found;
    void this.#maker.index.noteReplaced({ ...identity, id, isHeldOut }, chain);
    return found;
  }

  /** Ends all sessions, after their state is stored. */
  async end(): Promise<void> {
    await Promise.all([...this.#open.values()].map((conversation) => conversation.end()));
  }

  #use(conversation: Conversation): void {
    conversation.lastUsed = this.#maker.now();
    this.#open.delete(conversation.id);
    this.#open.set(conversation.id, conversation);
    if (this.#open.size > this.#limits.maxConversations) this.#drop(oldestOfLargest(this.#open.values()));
  }

  #dropIdle(): void {
    const before = this.#maker.now() - this.#limits.idleMs;
    for (const conversation of this.#open.values()) {
      if (conversation.lastUsed >= before) return;
      this.#drop(conversation);
    }
  }

  #drop(conversation: Conversation): void {
    this.#open.delete(conversation.id);
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

/** What identifies the conversation of a request. */
function identityOf(
  { identity, items, wire }: ConversationRequest,
  headers: IncomingHttpHeaders,
  upstream: string,
): Identity {
  return { scope: `${upstream} ${wire.name}`, key: agentKey(headers, identity), ...readHistory(items) };
}
