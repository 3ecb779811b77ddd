import { type CompactionRecord, type PreparedRequest, readUsage } from '@palimpsest/session';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { type ConversationCost, CostCounter } from './conversation-cost.ts';

/** Size of one request. */
export interface RequestSize {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Tokens of the prompt that was sent to the provider. */
  readonly tokens: number;
  /** Tokens of the prompt as the agent sent it. */
  readonly originalTokens: number;
  /** The model's window in tokens; 0 when it is not known. */
  readonly windowTokens: number;
}

/** Statistics of a conversation. They contain none of its text. */
export interface ConversationStats {
  readonly id: string;
  /** The agent, as it names itself in `user-agent`. */
  readonly agent: string;
  readonly model: string;
  readonly requests: number;
  /** Sizes of the newest requests, oldest first. */
  readonly sizes: readonly RequestSize[];
  readonly compactions: readonly CompactionRecord[];
  /** Prompt tokens that were not sent, over all requests. */
  readonly savedTokens: number;
  /** Prompt tokens that were sent, over all requests. */
  readonly sentTokens: number;
  /** `null` if the price of a model is not known, or the provider reports no usage. */
  readonly cost: ConversationCost | null;
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
  sentTokens = 0;
  cachedShare: number | null = null;
  sizes: readonly RequestSize[] = [];
  compactions: readonly CompactionRecord[] = [];
  readonly #cost = new CostCounter();
  readonly #prepared = new WeakMap<PreparedRequest, { readonly saved: number; readonly windowTokens: number }>();

  get cost(): ConversationCost | null {
    return this.#cost.cost;
  }

  /**
   * Notes the compactions made for a request. It need not be sent: with the tools of recall, it is prepared once more.
   * @param records of all compactions of the session, also inherited ones
   */
  prepared(request: PreparedRequest, records: readonly CompactionRecord[], windowTokens: number): void {
    const { checkpoint, compactions } = request.info;
    this.#prepared.set(request, { saved: savedBy(checkpoint, records), windowTokens });
    this.compactions = [...this.compactions, ...compactions].slice(-most);
  }

  /** Counts a request that is sent. */
  sent(request: PreparedRequest, now: number): void {
    const { tokens } = request.info;
    const { saved, windowTokens } = this.#prepared.get(request)!;
    this.requests++;
    this.savedTokens += saved;
    this.sentTokens += tokens;
    this.sizes = [...this.sizes, { at: now, tokens, originalTokens: tokens + saved, windowTokens }].slice(-most);
  }

  /** Counts an answer. @param usage a usage report of any provider, or anything else */
  answered(usage: unknown, request: PreparedRequest | undefined, prices: ModelPrices | null): void {
    const report = readUsage(usage);
    if (!report) return;
    if (report.cachedTokens !== undefined) this.cachedShare = report.cachedTokens / (report.promptTokens || 1);
    this.#cost.count(report, (request && this.#prepared.get(request)?.saved) ?? 0, prices);
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
