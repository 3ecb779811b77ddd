import type { SummarizeRequest, SummarizeResponse } from '@palimpsest/core';
import type { Exchanges } from './conversation/exchanges.ts';
import type { LastRequest } from './conversation/last-request.ts';

/** What the entries beside a session, such as `contextFetch`, use besides its public methods. Not for hosts. */
export interface SessionInternals {
  /** Calls that were answered inside fetches. */
  readonly exchanges: Pick<Exchanges, 'add' | 'apply' | 'tools'>;
  /** Resolves when the current state is stored, or the store has failed. */
  readonly save: () => Promise<void>;
  /** The last answered request, as a fetch sent it. */
  readonly lastRequest: Pick<LastRequest, 'keep' | 'noteAnswered' | 'noteSent'>;
  /**
   * Sends the last request again with one more message that asks for a summary.
   * @param cacheMs how long the provider keeps a prompt that is not used
   * @returns `null` when the request cannot be ridden on, or the ridden call failed
   */
  ride(request: SummarizeRequest, cacheMs: number): Promise<SummarizeResponse | null>;
}
