import type { CompactionRecord, PreparedRequest } from '@palimpsest/session';

/** Size of one request. */
export interface RequestSize {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Tokens of the prompt that was sent. */
  readonly tokens: number;
  /** Tokens of the prompt that the agent had. */
  readonly originalTokens: number;
  /** The model's window; 0 when it is not known. Tokens. */
  readonly windowTokens: number;
}

/** What is known about a conversation, without its text. */
export interface ConversationStats {
  readonly id: string;
  /** The agent, as it names itself in `user-agent`. */
  readonly agent: string;
  readonly model: string;
  readonly requests: number;
  /** The newest ones, oldest first. */
  readonly sizes: readonly RequestSize[];
  readonly compactions: readonly CompactionRecord[];
  /** Prompt tokens that were not sent, over all requests. */
  readonly savedTokens: number;
  /** Share of the last prompt that the provider read from its cache, 0 to 1; `null` when it did not report it. */
  readonly cachedShare: number | null;
  readonly lastUsed: number;
}

/** Number of sizes and compactions kept. */
const most = 200;

/** Counts the requests and compactions of one conversation. */
export class StatsCounter {
  requests = 0;
  savedTokens = 0;
  cachedShare: number | null = null;
  sizes: readonly RequestSize[] = [];
  compactions: readonly CompactionRecord[] = [];

  /** @param records of all compactions of the session, also inherited ones */
  count({ info }: PreparedRequest, records: readonly CompactionRecord[], windowTokens: number, now: number): void {
    const saved = savedBy(info.checkpoint, records);
    this.requests++;
    this.savedTokens += saved;
    const size = { at: now, tokens: info.tokens, originalTokens: info.tokens + saved, windowTokens };
    this.sizes = [...this.sizes, size].slice(-most);
    this.compactions = [...this.compactions, ...info.compactions].slice(-most);
  }
}

/** Tokens that a compaction and the ones it builds on have saved. */
function savedBy(checkpoint: number | null, records: readonly CompactionRecord[]): number {
  const byNumber = new Map(records.map((record) => [record.number, record]));
  let saved = 0;
  for (let record = byNumber.get(checkpoint ?? -1); record; record = byNumber.get(record.parent ?? -1))
    saved += record.tokensBefore - record.tokensAfter;
  return Math.max(0, saved);
}
