import type { Clock, Usage } from '@palimpsest/core';
import type { Body, Wire } from '@palimpsest/formats/wire';
import type { PreparedRequest } from './prepared-request.ts';
import type { RecentRequests } from './recent-requests.ts';
import type { SentRequest } from './sent-request.ts';

/** A request as a fetch sent it. */
export interface WireRequest {
  readonly outgoing: {
    readonly url: URL;
    /** Returns the arguments of `fetch` with another body. */
    with(body: string | Uint8Array): [input: string | URL | Request, init: RequestInit];
  };
  readonly wire: Wire;
  /** The body, parsed. */
  readonly body: Body;
  /** The body, as it was sent. */
  readonly sent: string | Uint8Array;
  readonly call: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** An answered request, and what is known about the provider's cache of it. */
export interface AnsweredRequest {
  readonly sentAs: WireRequest;
  readonly sent: SentRequest;
  /** Milliseconds since the epoch. */
  readonly answeredAt: number;
  /** Cached share of its prompt; `null` when the provider did not report it. */
  readonly cachedShare: number | null;
}

interface LastRequestParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly requests: Pick<RecentRequests, 'sentAs'>;
}

/** The last answered request of a session's conversation, as it was sent. Kept only when a summarizer rides on it. */
export class LastRequest {
  readonly #parts: LastRequestParts;
  readonly #sentAs: WeakMap<PreparedRequest, WireRequest> = new WeakMap();
  #current: AnsweredRequest | null = null;
  #isKept = false;

  constructor(parts: LastRequestParts) {
    this.#parts = parts;
  }

  get current(): AnsweredRequest | null {
    return this.#current;
  }

  /** Starts keeping requests. */
  keep(): void {
    this.#isKept = true;
  }

  noteSent(request: PreparedRequest, sentAs: WireRequest): void {
    if (this.#isKept) this.#sentAs.set(request, sentAs);
  }

  noteAnswered(request: PreparedRequest, usage: Usage | null): void {
    const sentAs = this.#sentAs.get(request);
    const sent = this.#parts.requests.sentAs(request);
    if (!sentAs || !sent || sent.isSideRequest) return;
    const { cachedTokens, promptTokens } = usage ?? {};
    const cachedShare = cachedTokens === undefined ? null : cachedTokens / promptTokens!;
    this.#current = { sentAs, sent, answeredAt: this.#parts.clock.now(), cachedShare };
  }

  forget(): void {
    this.#current = null;
  }
}
