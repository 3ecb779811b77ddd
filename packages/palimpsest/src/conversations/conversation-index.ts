import { systemClock } from '@palimpsest/core';
import { isRecord, withinDeadline } from '@palimpsest/core/authoring';
import { type SharedStore, storeHealth } from '@palimpsest/session';
import type { ConversationStore } from './conversation-store.ts';
import { commonLength, type HistoryChain } from './history-chain.ts';
import type { Identity } from './match.ts';
import { type ConversationIds, idsOf, type OpeningEntry, openingKey } from './opening.ts';

/** Maximum number of entries of each kind for one opening. The oldest are dropped first. */
const maxEntries = 100;
/** Maximum number of openings in memory. The least recently used is dropped first. */
const maxOpenings = 20_000;
/** How long a request waits for the store, in milliseconds. */
const maxWaitMs = 2_000;
/** Entries that were not written for this time are written again, so that they do not expire in use. In milliseconds. */
const renewAfterMs = 24 * 3_600_000;
/** Conflicts in a row after which a write is left to the next request. Each one means that another process has written. */
const maxConflicts = 20;

/** Observes the store. */
interface StoreObserver {
  storeFailed(reason: string): void;
  /** @param downMs milliseconds since it failed */
  storeBack(downMs: number): void;
}

/** The conversations that begin with one message, as this process knows them. */
interface Opening {
  entries: readonly OpeningEntry[];
  /** Entries that are not in the store yet. */
  added: readonly OpeningEntry[];
  /** False if the store could not be read. */
  isRead: boolean;
  /** Uses of the store, in order. Never rejects. */
  line: Promise<void>;
}

/**
 * Names conversations, so that every process that uses the store gives the same one the same id. Without a store, it knows
 * the conversations of this process.
 */
export class ConversationIndex {
  /** True if other machines use the store. */
  readonly isShared: boolean;
  readonly #store: SharedStore | null;
  readonly #observer: StoreObserver | undefined;
  readonly #openings = new Map<string, Opening>();

  constructor(store?: ConversationStore, observer?: StoreObserver) {
    this.#store = store?.sessions ?? null;
    this.isShared = store?.isRemote ?? false;
    this.#observer = observer;
  }

  /** True if conversations outlive this process. */
  get isStored(): boolean {
    return this.#store !== null;
  }

  /** The ids of a conversation, as far as it is known here: see {@link idsOf}. */
  ids(identity: Identity): ConversationIds {
    return idsOf(identity, this.#entriesOf(identity));
  }

  /** True if something about these conversations could not be read or stored. */
  isBehind(identity: Identity): boolean {
    const opening = this.#openings.get(openingKey(identity));
    return this.#store !== null && (!opening?.isRead || opening.added.length > 0);
  }

  /** Whether a conversation is held out; `null` if nothing is stored about that. */
  isHeldOut(identity: Identity): boolean | null {
    const entries = this.#entriesOf(identity);
    const { id, earlier } = idsOf(identity, entries);
    const found = entries.find((entry) => entry.kind === 'replaced' && [id, ...earlier].includes(entry.id));
    return found?.kind === 'replaced' ? found.isHeldOut : null;
  }

  /** Other conversations with the same opening that were compacted, such as of another session of the agent. The newest first. */
  relativesOf(identity: Identity, id: string): readonly string[] {
    const entries = this.#entriesOf(identity);
    const at = identity.chain[identity.opening];
    return entries
      .flatMap((entry) => (entry.kind === 'compacted' && entry.at === at && entry.id !== id ? [entry.id] : []))
      .reverse();
  }

  /** True if the session of a conversation has a state in the store, or that cannot be found out. */
  async hasState(id: string): Promise<boolean> {
    const store = this.#store;
    if (!store) return false;
    if (!storeHealth(store).retry()) return true;
    return withinDeadline(() => store.version(id), maxWaitMs, systemClock).then(
      (version) => version !== null,
      () => true,
    );
  }

  /** Reads what other processes know about the conversations that begin like this one. Never rejects. */
  read(identity: Identity): Promise<void> {
    return this.add(identity, null);
  }

  /** Notes that a conversation was compacted. Never rejects. */
  async noteCompacted(conversation: Identity & { readonly id: string }): Promise<void> {
    const { id, chain, opening } = conversation;
    const at = chain[opening];
    const known = this.#entriesOf(conversation);
    if (this.#store === null || at === undefined) return;
    if (known.some((entry) => entry.kind === 'compacted' && entry.id === id && entry.at === at)) return;
    await this.add(conversation, { kind: 'compacted', at, id });
  }

  /** Notes that a conversation continues with another history. @param before its history until now. Never rejects */
  async noteReplaced(
    conversation: Identity & { readonly id: string; readonly isHeldOut: boolean },
    before: HistoryChain,
  ): Promise<void> {
    const { id, isHeldOut, chain } = conversation;
    const at = chain[commonLength(before, chain)];
    if (at !== undefined) await this.add(conversation, { kind: 'replaced', at, id, isHeldOut });
  }

  /** Adds an entry, and reads those of other processes. Never rejects. */
  async add(identity: Identity, entry: OpeningEntry | null): Promise<void> {
    const key = openingKey(identity);
    const opening = this.#openings.get(key) ?? { entries: [], added: [], isRead: false, line: Promise.resolve() };
    this.#use(key, opening);
    if (entry && this.#store) opening.added = [...opening.added, entry];
    if (entry) opening.entries = withEntries(opening.entries, [entry]);
    const store = this.#store;
    if (store) opening.line = opening.line.then(() => this.#useStore(store, key, opening));
    await opening.line;
  }

  #entriesOf(identity: Identity): readonly OpeningEntry[] {
    const key = openingKey(identity);
    const opening = this.#openings.get(key);
    if (opening) this.#use(key, opening);
    return opening?.entries ?? [];
  }

  #use(key: string, opening: Opening): void {
    this.#openings.delete(key);
    this.#openings.set(key, opening);
    if (this.#openings.size > maxOpenings) this.#openings.delete(this.#openings.keys().next().value!);
  }

  async #useStore(store: SharedStore, key: string, opening: Opening): Promise<void> {
    const health = storeHealth(store);
    if (!health.retry()) {
      opening.isRead = false;
      return;
    }
    const late = new AbortController();
    try {
      await withinDeadline(() => synchronize(store, key, opening, late.signal), maxWaitMs, systemClock);
      opening.isRead = true;
    } catch (error) {
      late.abort();
      opening.isRead = false;
      const noteBack = (downMs: number): void => this.#observer?.storeBack(downMs);
      this.#observer?.storeFailed(health.noteFailure(error, noteBack));
    }
  }
}

/** Reads an opening, and stores what was added to it. @param signal aborted when the result comes too late */
async function synchronize(store: SharedStore, key: string, opening: Opening, signal: AbortSignal): Promise<void> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
    const found = await store.load(key);
    if (signal.aborted) return;
    const { entries, savedAt } = parseOpening(found?.text);
    const added = opening.added;
    const next = withEntries(entries, added);
    opening.entries = next;
    const isNew = added.some((entry) => !entries.some((other) => isSame(entry, other)));
    const isOld = entries.length > 0 && savedAt + renewAfterMs < Date.now();
    const text = JSON.stringify({ entries: next, savedAt: Date.now() });
    if ((!isNew && !isOld) || (await store.save(key, text, found?.version ?? null)) !== null) {
      opening.added = opening.added.filter((entry) => !added.includes(entry));
      return;
    }
  }
}

/** Adds entries. Those that are known already stay where they are. */
function withEntries(entries: readonly OpeningEntry[], added: readonly OpeningEntry[]): readonly OpeningEntry[] {
  const all = [...entries];
  for (const entry of added) if (!all.some((other) => isSame(entry, other))) all.push(entry);
  const kinds = ['fork', 'replaced', 'compacted'] as const;
  return kinds.flatMap((kind) => all.filter((entry) => entry.kind === kind).slice(-maxEntries));
}

function isSame(one: OpeningEntry, other: OpeningEntry): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Reads what is stored. What is damaged is ignored. */
function parseOpening(text: string | undefined): { entries: readonly OpeningEntry[]; savedAt: number } {
  try {
    const { entries, savedAt } = JSON.parse(text ?? '{}') as Record<string, unknown>;
    if (Array.isArray(entries) && typeof savedAt === 'number') return { entries: entries.flatMap(parseEntry), savedAt };
  } catch {
    // Damaged.
  }
  return { entries: [], savedAt: 0 };
}

function parseEntry(value: unknown): OpeningEntry[] {
  if (!isRecord(value) || typeof value.at !== 'string') return [];
  const { kind, at, id, isHeldOut } = value;
  if (kind === 'fork') return [{ kind, at }];
  if (typeof id !== 'string') return [];
  if (kind === 'compacted') return [{ kind, at, id }];
  return kind === 'replaced' ? [{ kind, at, id, isHeldOut: isHeldOut === true }] : [];
}
