import { createHash } from 'node:crypto';
import type { CompressReport, Message, Usage } from '@palimpsest/core';
import { rememberMessages } from '@palimpsest/formats';
import type { PreparedRequest, Session } from '@palimpsest/session';
import { contextFetch, type FetchFunction } from '@palimpsest/session/fetch';
import { unnamedKey } from './agent-key.ts';
import { type ConversationStats, StatsCounter } from './conversation-stats.ts';
import type { HistoryChain } from './history-chain.ts';
import type { Identity } from './match.ts';
import { observeSession } from './observe-session.ts';
import { readHistory } from './opening.ts';
import { type ConversationRequest, messagesOf } from './read-conversation.ts';
import type { SessionMaker } from './session-maker.ts';
import { TroubleLog } from './trouble-log.ts';

type Call = Parameters<FetchFunction>;

/** A request that the session is handling. */
interface OpenRequest {
  readonly request: ConversationRequest;
  /** The request that the session prepared. */
  prepared: PreparedRequest | null;
  /** True when it was sent. The session itself may send more, to answer calls of `recall`. */
  isSent: boolean;
}

/** The result of a compaction that a client asked the provider for, and that the proxy made instead. */
interface ServedFigures {
  /** The messages that were removed or changed in the client's new history. */
  readonly removed: readonly Message[];
  readonly report: CompressReport;
  /** Of the calls of the summarizer. */
  readonly usages: readonly Usage[];
}

/** A prepared request, and the history behind it. */
export interface ShownRequest {
  readonly history: readonly Message[];
  readonly request: PreparedRequest;
}

/** One conversation of an agent, with its session. */
export class Conversation implements Identity {
  readonly id: string;
  readonly scope: string;
  readonly key: string;
  opening: number;
  /** True if it is compacted only when it must be. */
  readonly isHeldOut: boolean;
  chain: HistoryChain;
  /** Histories that it had before others that they do not continue, the newest first: before a rewind, or of a fork. */
  earlierChains: readonly HistoryChain[] = [];
  lastUsed: number;
  agent = '';
  model = '';
  /** What went wrong in it. */
  readonly troubles: TroubleLog = new TroubleLog();
  /** True from the agent's request for a summary of it to the next request. */
  isSummarized = false;
  /** The newest request, with the whole history; `null` before the first one. */
  newest: Pick<ConversationRequest, 'body' | 'wire'> | null = null;
  /** The last request that the session prepared; `null` before the first one. */
  shown: ShownRequest | null = null;
  readonly #maker: SessionMaker;
  #stats = new StatsCounter();
  /** True after it has taken over the state of another. */
  #isHeir = false;
  /** Messages of an earlier request are the same objects, so they are counted once. */
  readonly #remember = rememberMessages();
  #open: Promise<{ readonly session: Session; readonly fetch: FetchFunction }> | null = null;
  /** The conversation that this one branched from, until the session is opened. */
  #parent: Conversation | null;
  /** Resolves when the newest compaction's conversation is found by other processes. Requests wait for it. */
  #recorded: Promise<void> | null = null;
  /** The requests that the session is handling, by their signals. */
  readonly #openRequests = new WeakMap<AbortSignal, OpenRequest>();

  /** @param parent what it begins with, if it is not in the store */
  constructor(known: Identity & { readonly id: string }, maker: SessionMaker, parent: Conversation | null = null) {
    this.id = known.id;
    this.scope = known.scope;
    this.key = known.key;
    this.chain = known.chain;
    this.opening = known.opening;
    // A served compaction replaces the messages that decide it, so it is decided once.
    this.isHeldOut = maker.index.isHeldOut(known) ?? isHeldOut(known, maker.holdout);
    this.lastUsed = maker.now();
    this.#maker = maker;
    this.#parent = parent;
  }

  get stats(): ConversationStats {
    const { requests, savedTokens, sentTokens, cost, cachedShare, sizes, compactions } = this.#stats;
    const { id, agent, model, isHeldOut, lastUsed } = this;
    const counted = { requests, sizes, compactions, savedTokens, sentTokens, cost, cachedShare };
    return { id, agent, model, isHeldOut, ...counted, lastUsed };
  }

  /** Its session; `undefined` before its first request, and after it was ended. */
  get session(): Promise<Session> | undefined {
    return this.#open?.then(({ session }) => session);
  }

  /** False if the price of its model is not known. */
  get hasPrices(): boolean {
    return this.#maker.prices(this.model) !== null;
  }

  /** What counts its statistics. A conversation that continues it under another id has the same. */
  get counter(): object {
    return this.#stats;
  }

  /** Continues the statistics of a conversation under another id. */
  succeed(before: Conversation): void {
    this.#stats = before.#stats;
  }

  /** Sends a request of the conversation, and keeps it inside its window. */
  async send(request: ConversationRequest, ...[input, init]: Call): Promise<Response> {
    const { fetch } = await this.#openSession();
    const signal = init?.signal ?? new AbortController().signal;
    const body = { ...request.body, [request.wire.list]: this.#remember<unknown>(request.items) };
    this.#openRequests.set(signal, { request: { ...request, body }, prepared: null, isSent: false });
    return fetch(input, { ...init, signal });
  }

  /** Sends what the session has prepared. */
  readonly #send: FetchFunction = (input, init) => {
    const open = this.#openRequests.get(init!.signal!);
    // Not a request of the agent: the session asks its model for a page.
    if (!open) return this.#maker.page(this.scope, input, init);
    const { prepared } = open;
    if (prepared) this.#stats.noteSent(prepared, this.#maker.now(), open.isSent);
    open.isSent = true;
    return this.#maker.fetch(input, init);
  };

  /** The key that signs the handoffs of the conversation. */
  async handoffKey(): Promise<string | undefined> {
    const { session } = await this.#openSession();
    return (await session.snapshot()).handoffKey;
  }

  /**
   * Notes that the client continues with a history that the proxy compacted for it.
   * @param items the messages or items of that history
   */
  async noteServed(items: readonly unknown[], { removed, report, usages }: ServedFigures): Promise<void> {
    const before = this.chain;
    Object.assign(this, readHistory(items));
    const { session } = await this.#openSession();
    if (this.#maker.recall) await session.archive(removed);
    this.#stats.noteServed(report, this.#maker.now());
    for (const usage of usages) this.#stats.notePage(usage, this.#maker.prices(this.model));
    await this.#maker.index.noteReplaced(this, before);
    this.#maker.onCompaction(this.stats);
  }

  /** Ends the session and frees its memory. The next request opens it again. */
  async end(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    this.shown = null;
    await (await open?.catch(() => null))?.session.end();
  }

  async #openSession(): Promise<{ readonly session: Session; readonly fetch: FetchFunction }> {
    this.#open ??= this.#start().catch((error: unknown) => {
      // The next request tries again.
      this.#open = null;
      throw error;
    });
    return this.#open;
  }

  /** Takes over the state of another conversation, unless it has one in the store. */
  async #inherit(session: Session, parent: Conversation): Promise<void> {
    if (await this.#maker.index.hasState(this.id)) return;
    const isHere = parent.#open !== null;
    const known = await (await parent.#openSession()).session.snapshot();
    const hasHandoffs = parent.#isHeir || parent.#stats.compactions.length > 0;
    // Compactions that cover only the common beginning still apply. The session checks each.
    if (known.checkpoints.length > 0) await session.restore({ ...known, sessionId: this.id });
    // Handoffs in the common beginning stay trusted.
    else if (hasHandoffs || (!isHere && (await parent.#maker.index.hasState(parent.id))))
      await session.restore({ ...(await session.snapshot()), handoffKey: known.handoffKey });
    else return;
    this.#isHeir = true;
  }

  async #start(): Promise<{ readonly session: Session; readonly fetch: FetchFunction }> {
    const session = this.#maker.session(this.id, this.model, this.isHeldOut);
    if (this.#parent) await this.#inherit(session, this.#parent);
    this.#parent = null;
    session.on((event) => {
      this.troubles.note(event);
      if (event.type === 'summary-aborted' || event.type === 'summary-fallback')
        this.#maker.onSummaryFailed(this, event.reason);
      if ((event.type === 'summary-end' || event.type === 'summary-late') && event.usage)
        this.#stats.notePage(event.usage, this.#maker.prices(this.model));
      if (event.type !== 'checkpoint-commit') return;
      this.#recorded = this.#maker.index.noteCompacted(this);
      // One that was made for a request is counted with the request.
      if (event.trigger === 'manual') this.#stats.noteCompactions(session.records().slice(-1));
    });
    const observed = observeSession(session, {
      onPrepared: async (request, history, options) => {
        this.shown = { history, request };
        const open = options?.signal && this.#openRequests.get(options.signal);
        if (open) open.prepared = request;
        const given = open && messagesOf(open.request);
        // With recall, the history and the tools also contain the session's own calls and tools.
        const original = given ? { messages: given, tools: open.request.tools } : { messages: history };
        this.#stats.notePrepared(request, { ...options, ...original }, session.status().contextLength);
        if (request.info.compactions.length > 0) this.#maker.onCompaction(this.stats);
        await this.#recorded;
      },
      onAnswer: (usage, request) => this.#stats.noteAnswer(usage, request, this.#maker.prices(this.model)),
    });
    const { model, recall } = this.#maker;
    return {
      session,
      // The proxy signs requests for AWS itself, after it has verified the client's signature.
      fetch: contextFetch(observed, { fetch: this.#send, model, aws: false, recall: recall ? undefined : false }),
    };
  }
}

/**
 * True if a conversation is held out: it is compacted only when it must be. The choice depends on what identifies the
 * conversation, so every process makes the same one: on what the agent says about its session or user, and without that on the first message.
 * @param share of the conversations that is held out, 0 to 1
 */
export function isHeldOut({ scope, key, chain }: Pick<Identity, 'scope' | 'key' | 'chain'>, share: number): boolean {
  const first = key === unnamedKey ? (chain[0] ?? '') : '';
  const hash = createHash('sha256').update(`${scope}\n${key}\n${first}`).digest();
  return hash.readUInt32BE() < share * 2 ** 32;
}
