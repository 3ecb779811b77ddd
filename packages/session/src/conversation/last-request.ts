import type { Clock, Usage } from '@palimpsest/core';
import type { PageSource } from './page-source.ts';
import type { PreparedRequest } from './prepared-request.ts';
import type { RecentRequests } from './recent-requests.ts';
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

interface LastRequestParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly requests: Pick<RecentRequests, 'sentAs'>;
}

/** The last answered request of a session's conversation, which is used to ask its model for a page. */
export class LastRequest {
  readonly #parts: LastRequestParts;
  #current: AnsweredRequest | null = null;

  constructor(parts: LastRequestParts) {
    this.#parts = parts;
  }

  get current(): AnsweredRequest | null {
    return this.#current;
  }

  noteAnswered(request: PreparedRequest, usage: Usage | null, source: PageSource): void {
    const sent = this.#parts.requests.sentAs(request);
    if (!sent || sent.isSideRequest) return;
    this.#current = { sent, source, answeredAt: this.#parts.clock.now(), cachedShare: cachedShareOf(usage) };
  }

  forget(): void {
    this.#current = null;
  }
}

function cachedShareOf(usage: Usage | null): number | null {
  const { cachedTokens, cacheWriteTokens, promptTokens } = usage ?? {};
  if (cachedTokens === undefined && cacheWriteTokens === undefined) return null;
  return ((cachedTokens ?? 0) + (cacheWriteTokens ?? 0)) / promptTokens!;
}
