import type { Clock, Usage } from '@palimpsest/core';
import type { PageSource } from './page-source.ts';
import type { SentRequest } from './sent-request.ts';

/** An answered request, and what is known about the provider's cache of it. */
export interface AnsweredRequest {
  readonly sent: SentRequest;
  /** Asks its model for a page. */
  readonly source: PageSource;
  /** Milliseconds since the epoch. */
  readonly answeredAt: number;
  /** Share of its prompt that is in the cache now; `null` when the provider did not report it. */
  readonly cachedShare: number | null;
}

/** The last answered request of a session's conversation, which is used to ask its model for a page. */
export class LastRequest {
  readonly #clock: Pick<Clock, 'now'>;
  #current: AnsweredRequest | null = null;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get current(): AnsweredRequest | null {
    return this.#current;
  }

  noteAnswered(sent: SentRequest, usage: Usage | null, source: PageSource): void {
    this.#current = { sent, source, answeredAt: this.#clock.now(), cachedShare: shareFromCache(usage) };
  }

  forget(): void {
    this.#current = null;
  }
}

function shareFromCache(usage: Usage | null): number | null {
  const { cachedTokens, cacheWriteTokens, promptTokens } = usage ?? {};
  if (cachedTokens === undefined && cacheWriteTokens === undefined) return null;
  return ((cachedTokens ?? 0) + (cacheWriteTokens ?? 0)) / promptTokens!;
}
