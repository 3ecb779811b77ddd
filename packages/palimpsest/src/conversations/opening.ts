import { createHash } from 'node:crypto';
import { isRecord } from '@palimpsest/core/authoring';
import { chainOf, commonLength, type HistoryChain, isSystem } from './history-chain.ts';
import { changingEnd, type Identity } from './match.ts';

/** What is known about the conversations that begin with the same message. Contains hashes and ids only. */
export type OpeningEntry =
  /** Conversations went different ways after this history. Each of them is named for its own way. */
  | { readonly kind: 'fork'; readonly at: string }
  /** A history that begins like this continues a conversation whose messages were replaced by a summary. */
  | { readonly kind: 'replaced'; readonly at: string; readonly id: string; readonly isHeldOut: boolean }
  /** A conversation with this beginning was compacted. */
  | { readonly kind: 'compacted'; readonly at: string; readonly id: string };

/** Reads the chain of a history, and where its opening ends. */
export function readHistory(items: readonly unknown[]): Pick<Identity, 'chain' | 'opening'> {
  const own = items.filter((item) => !isSystem(item));
  const answer = own.findIndex((item) => !isRecord(item) || item.role !== 'user');
  // The last item may be the beginning of an answer, which the model completes.
  return { chain: chainOf(own), opening: answer < 0 || answer === own.length - 1 ? 0 : answer };
}

/** The ids of a conversation. */
export interface ConversationIds {
  readonly id: string;
  /** Those before others were known that begin in the same way. The newest first. */
  readonly earlier: readonly string[];
  /** That of a conversation whose model has not answered yet. */
  readonly first: string;
}

/** Names a conversation by its history and the entries. So every process that knows the same entries finds the same ids. */
export function idsOf(identity: Identity, entries: readonly OpeningEntry[]): ConversationIds {
  const { chain, opening } = identity;
  const forks = new Set(entries.flatMap(({ kind, at }) => (kind === 'fork' ? [at] : [])));
  const replaced = new Map(entries.flatMap((entry) => (entry.kind === 'replaced' ? [[entry.at, entry.id]] : [])));
  const ids: string[] = [];
  let root = idAt(identity, opening);
  for (let at = entries.length === 0 ? -1 : chain.length - 1; at >= 0; at--) {
    const id = replaced.get(chain[at]!);
    if (id !== undefined) {
      root = id;
      break;
    }
    if (at > opening && forks.has(chain[at - 1]!)) ids.push(idAt(identity, at));
  }
  const [id = root, ...earlier] = [...ids, root];
  return { id, earlier, first: idAt(identity, 0) };
}

/** True if a request continues or repeats a history, whose newest messages may have changed. */
export function continues(known: HistoryChain, { chain }: Pick<Identity, 'chain'>): boolean {
  const common = commonLength(known, chain);
  return common > 0 && (common === chain.length || common >= known.length - changingEnd);
}

/** Notes that a request leaves a history that other requests continue. */
export function forkOf(known: HistoryChain, { chain }: Pick<Identity, 'chain'>): OpeningEntry {
  return { kind: 'fork', at: chain[commonLength(known, chain) - 1]! };
}

/** The key of what is stored about the conversations that begin like this one. */
export function openingKey({ scope, chain }: Pick<Identity, 'scope' | 'chain'>): string {
  return `${openingPrefix}${hashOf(scope, chain[0])}-${tenantHash(scope)}`;
}

const openingPrefix = 'opening-';

/** True for a key of {@link openingKey}; false for the id of a conversation. */
export function isOpeningKey(key: string): boolean {
  return key.startsWith(openingPrefix);
}

/** The end of all ids and keys of a tenant. */
export function tenantEnd(name: string): string {
  return `-${tenantHash(`${name}/`)}`;
}

/** The tenant of a scope; empty without tenants. */
export function tenantOf({ scope }: Pick<Identity, 'scope'>): string {
  return scope.slice(0, scope.indexOf('/') + 1);
}

function idAt({ scope, key, chain }: Identity, at: number): string {
  return `${hashOf(scope, key, chain[at])}-${tenantHash(scope)}`;
}

function tenantHash(scope: string): string {
  return hashOf('tenant', tenantOf({ scope })).slice(0, 16);
}

function hashOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}
