import type { Clock, Message, SummarizeRequest, SummarizeResponse, Summarizer, Usage } from '@palimpsest/core';
import type { AnsweredRequest } from '../conversation/last-request.ts';
import type { PageSource } from '../conversation/page-source.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import { errorReason } from '../events/error-reason.ts';
import type { EventPublisher } from '../hooks/event-publisher.ts';
import type { ModelWindow } from '../provider/model-window.ts';
import { LatePage } from './late-page.ts';

/** Longest time for a page in milliseconds, even if no plan waits for it any more. */
const maxCallMs = 180_000;
/** After this many failures in a row, no page is asked for in the next `failurePauseMs` milliseconds. */
const maxFailures = 3;
const failurePauseMs = 900_000;

/** The parts of its session that a {@link PageWriter} uses. */
export interface PageWriterParts {
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  readonly events: Pick<EventPublisher, 'planned' | 'publish'>;
  readonly redact: (text: string) => string;
  readonly lastRequest: { readonly current: AnsweredRequest | null };
  /** The conversation that is compacted now. */
  readonly compacting: () => readonly Message[];
  /**
   * Number of messages by which the conversation that is compacted now continues a request; `null` if it is another one,
   * or if the request had other compactions in it.
   */
  readonly newerThan: (sent: SentRequest) => number | null;
  /** Counts the cost of a page that arrives when no compaction waits for it any more. */
  readonly noteLate: (summarizer: string, usage: Usage | undefined) => void;
  readonly model: () => ModelWindow;
}

/**
 * The summarizer of a session. A page is written by the conversation's own model, which is asked with the last request
 * while the provider's cache of it is warm; otherwise by the summarizer that the host gave; otherwise by that model with
 * an ordinary prompt.
 */
export class PageWriter implements Summarizer {
  readonly #given: Summarizer | null;
  readonly #parts: PageWriterParts;
  readonly #calls: Set<AbortController> = new Set();
  /** Calls whose pages no compaction waits for any more. */
  readonly #released: WeakSet<AbortController> = new WeakSet();
  readonly #late: LatePage = new LatePage();
  /** What writes the page, if it is not the given summarizer. */
  #asked: PageSource | null = null;
  #isAttached = false;
  #failures = 0;
  #failedAt = 0;

  constructor(given: Summarizer | null, parts: PageWriterParts) {
    this.#given = given;
    this.#parts = parts;
  }

  get id(): string {
    return this.#given?.id ?? this.#ownId;
  }

  get contextLength(): number | undefined {
    return this.#given?.contextLength;
  }

  get timeoutMs(): number | undefined {
    return this.#given?.timeoutMs;
  }

  /** False while there is no model to ask, so that rules write. */
  get isReady(): boolean {
    return this.#given !== null || this.#parts.lastRequest.current !== null;
  }

  /** True if a model writes, now or after the next answer. */
  get isModel(): boolean {
    return this.#given !== null || this.#isAttached;
  }

  /** True when each answered request is reported together with a way to ask its model. */
  get isAttached(): boolean {
    return this.#isAttached;
  }

  attach(): void {
    this.#isAttached = true;
  }

  /**
   * False while a page is being written, even one that no plan waits for. Also false while the provider's limits leave no
   * room, and for a while after several failures in a row.
   */
  get mayAsk(): boolean {
    if (this.#calls.size > 0) return false;
    const { clock, lastRequest } = this.#parts;
    // Failures may be paid for, too.
    if (this.#failures >= maxFailures && clock.now() - this.#failedAt < failurePauseMs) return false;
    return !this.isServerBusy && (lastRequest.current?.source.hasRoom ?? true);
  }

  /** True while a page would make the next request wait for its server. */
  get isServerBusy(): boolean {
    return this.#given === null && this.#parts.lastRequest.current?.source.slot === 'busy';
  }

  /** Lets a call continue when its plan is stopped. Its page is kept for the next one. */
  release(): void {
    for (const call of this.#calls) this.#released.add(call);
  }

  /** Ends the calls that are running, and forgets a page that is not used yet. */
  cancel(): void {
    this.#endCalls();
    this.#late.forget();
  }

  /** Ends the calls to a server that answers one request at a time. @returns true if there was one */
  leaveServer(): boolean {
    if (this.#calls.size === 0 || this.#asked?.slot === undefined) return false;
    this.#endCalls();
    return true;
  }

  #endCalls(): void {
    for (const call of this.#calls) call.abort();
    this.#calls.clear();
  }

  async summarize(request: SummarizeRequest): Promise<SummarizeResponse> {
    const { signal } = request;
    const call = new AbortController();
    // The page may outlive its plan.
    const compaction = this.#parts.events.planned;
    const conversation = this.#parts.compacting();
    this.#calls.add(call);
    let isLate = false;
    const stopTimer = this.#parts.clock.schedule(() => {
      isLate = true;
      call.abort(new Error('The page took too long.'));
    }, maxCallMs);
    signal?.addEventListener('abort', () => this.#released.has(call) || call.abort(signal.reason), { once: true });
    try {
      const response = await this.#ask(this.#late.addTo(request, conversation), call.signal, compaction);
      const isPage = response.text.trim() !== '' && (response.finishReason ?? 'stop') === 'stop';
      this.#noteResult(isPage);
      if (signal?.aborted) this.#parts.noteLate(response.writer ?? this.id, response.usage);
      // A summarizer may ignore that its call was cancelled. Its page is about another conversation then.
      if (isPage && this.#calls.has(call)) {
        if (signal?.aborted) this.#late.keep(conversation, this.#parts.redact(response.text));
        else this.#late.forget();
      }
      return response;
    } catch (error) {
      if (isLate || !call.signal.aborted) this.#noteResult(false);
      throw error;
    } finally {
      stopTimer();
      this.#calls.delete(call);
    }
  }

  #noteResult(isPage: boolean): void {
    this.#failures = isPage ? 0 : this.#failures + 1;
    this.#failedAt = this.#parts.clock.now();
  }

  get #ownId(): string {
    return `model:${this.#parts.model().id}`;
  }

  async #ask(request: SummarizeRequest, signal: AbortSignal, compaction: number | null): Promise<SummarizeResponse> {
    const last = this.#parts.lastRequest.current;
    const isFree = last?.source.slot !== 'busy';
    const askCached = last && isFree && this.#isCached(last, request) ? last.source.askCached : null;
    this.#asked = askCached || !this.#given ? (last?.source ?? null) : null;
    if (askCached) return this.#fromCache(() => askCached(request.instruction!, signal), compaction);
    if (this.#given) return this.#given.summarize({ ...request, signal });
    const response = await last!.source.ask(request.prompt, Math.ceil(request.budgetTokens * maxLengthRatio), signal);
    return { ...response, writer: this.#ownId };
  }

  async #fromCache(send: () => Promise<SummarizeResponse>, compaction: number | null): Promise<SummarizeResponse> {
    const report = (failure: string | null, usage?: Usage): void => {
      const { promptTokens = null, cachedTokens = null } = usage ?? {};
      this.#parts.events.publish({ type: 'summary-from-cache', promptTokens, cachedTokens, failure }, compaction);
    };
    try {
      const response = await send();
      const isEmpty = response.text.trim() === '';
      report(isEmpty ? 'The model wrote no text. It may have called a tool.' : null, response.usage);
      return { ...response, writer: this.#ownId };
    } catch (error) {
      report(errorReason(error));
      throw error;
    }
  }

  #isCached(last: AnsweredRequest, request: SummarizeRequest): boolean {
    const { clock, model, newerThan } = this.#parts;
    return hasWarmCache(last, request, model(), { now: clock.now(), newer: newerThan(last.sent) });
  }
}

/** How long a provider keeps a prompt that is not used, in milliseconds. */
const cacheMs = 300_000;
/** The last prompt must have been cached to this share, or its provider may not cache at all. */
const minCachedShare = 0.5;
/** A page may be this much longer than requested. */
const maxLengthRatio = 1.5;
/** Characters per token, at least. */
const minCharactersPerToken = 3;

/**
 * True if the provider still has the last request in its cache, and a page can be requested in one more message of it.
 * @param newer number of messages by which the conversation continues the request; `null` if it does not
 */
function hasWarmCache(
  { answeredAt, cachedShare, sent, source }: AnsweredRequest,
  { budgetTokens, instruction, material }: SummarizeRequest,
  model: ModelWindow,
  { now, newer }: { readonly now: number; readonly newer: number | null },
): boolean {
  if (instruction === undefined || now - answeredAt >= cacheMs) return false;
  // A provider that reports no cache does not charge for one.
  if (cachedShare !== null && cachedShare < minCachedShare) return false;
  const cap = source.maxTokens;
  if (sent.model !== model.id || (cap !== undefined && cap < budgetTokens * maxLengthRatio)) return false;
  const added = Math.ceil(instruction.length / minCharactersPerToken);
  const size = { ...sent.size, tokens: sent.size.tokens + added, estimatedTokens: sent.size.estimatedTokens + added };
  if (model.isExceeded(size, cap)) return false;
  // What is newer than the last request has to stay, because the cached prompt does not have it.
  return newer !== null && newer <= (material.kept?.after.messages.length ?? 0);
}
