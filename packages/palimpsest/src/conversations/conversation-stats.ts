import type { CompressReport, Usage } from '@palimpsest/core';
import { type CompactionRecord, type PreparedRequest, readUsage } from '@palimpsest/session';
import { type CountableRequest, createTokenCounter } from '@palimpsest/tokens';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { type ConversationCost, CostCounter } from './conversation-cost.ts';

/** Size of one request. */
export interface PromptSize {
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
  /** True if it is compacted only when it must be, so that the others can be compared with it. */
  readonly isHeldOut: boolean;
  readonly requests: number;
  /** Sizes of the newest requests, oldest first. */
  readonly sizes: readonly PromptSize[];
  readonly compactions: readonly CompactionRecord[];
  /** Prompt tokens that were not sent, over all requests. Negative if the tools and searches of recall took more than that. */
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
const maxEntries = 200;

/** A request that was prepared. */
interface Prepared {
  /** Tokens of the agent's prompt that are not in it. */
  readonly saved: number;
  readonly windowTokens: number;
  /** True if the agent would not have sent it: one after a search, or after a refusal. */
  isFurther: boolean;
}

/** Counts the requests and compactions of one conversation. */
export class StatsCounter {
  requests = 0;
  savedTokens = 0;
  sentTokens = 0;
  cachedShare: number | null = null;
  sizes: readonly PromptSize[] = [];
  compactions: readonly CompactionRecord[] = [];
  readonly #cost = new CostCounter();
  readonly #prepared = new WeakMap<PreparedRequest, Prepared>();
  readonly #tokens = createTokenCounter();

  get cost(): ConversationCost | null {
    return this.#cost.cost;
  }

  /**
   * Notes the compactions made for a request. It need not be sent: with the tools of recall, a chat is prepared once more.
   * @param original the prompt as the agent sent it
   */
  notePrepared(request: PreparedRequest, original: CountableRequest, windowTokens: number): void {
    const { compactions, tokens } = request.info;
    // Both are counted in the same way, and their ratio is applied to the size that the provider confirms.
    const whole = this.#tokens.countRequest(original);
    const sent = this.#tokens.countRequest(request);
    const saved = sent === 0 ? 0 : Math.round(tokens * (whole / sent - 1));
    this.#prepared.set(request, { saved, windowTokens, isFurther: false });
    this.noteCompactions(compactions);
  }

  /** Notes compactions of the session. */
  noteCompactions(compactions: readonly CompactionRecord[]): void {
    this.compactions = [...this.compactions, ...compactions].slice(-maxEntries);
  }

  /** Notes a compaction that the client asked for. */
  noteServed(report: CompressReport, now: number): void {
    const { tokensBefore, tokensAfter, messagesBefore, messagesAfter, modelCalls, durationMs } = report;
    const record: CompactionRecord = {
      number: (this.compactions.at(-1)?.number ?? 0) + 1,
      parent: null,
      at: now,
      trigger: 'agent',
      outcome: 'compacted',
      tokensBefore,
      tokensAfter,
      messagesBefore,
      messagesAfter,
      modelCalls,
      durationMs,
      cachedShareBefore: this.cachedShare,
      cachedShareAfter: null,
      undone: false,
      historyMessages: messagesBefore,
      dollars: null,
    };
    this.compactions = [...this.compactions, record].slice(-maxEntries);
  }

  /** Counts a request that is sent. @param isFurther true if the agent would not have sent it */
  noteSent(request: PreparedRequest, now: number, isFurther: boolean): void {
    const { tokens } = request.info;
    const prepared = this.#prepared.get(request)!;
    const { windowTokens } = prepared;
    prepared.isFurther = isFurther;
    const saved = isFurther ? -tokens : prepared.saved;
    this.requests++;
    this.savedTokens += saved;
    this.sentTokens += tokens;
    const originalTokens = tokens + Math.max(0, prepared.saved);
    this.sizes = [...this.sizes, { at: now, tokens, originalTokens, windowTokens }].slice(-maxEntries);
  }

  /** Counts a page that the model wrote. */
  notePage(usage: Usage, prices: ModelPrices | null): void {
    this.#cost.count(usage, null, prices);
  }

  /** Counts an answer. @param usage a usage report of any provider, or anything else */
  noteAnswer(usage: unknown, request: PreparedRequest | undefined, prices: ModelPrices | null): void {
    const report = readUsage(usage);
    if (!report) return;
    if (report.cachedTokens !== undefined) this.cachedShare = report.cachedTokens / (report.promptTokens || 1);
    const { saved = 0, isFurther = false } = (request && this.#prepared.get(request)) ?? {};
    this.#cost.count(report, isFurther ? null : saved, prices);
  }
}
