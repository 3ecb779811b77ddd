import type { Usage } from '@palimpsest/core';
import type { Exchanges } from './conversation/exchanges.ts';
import type { PageSource } from './conversation/page-source.ts';
import type { PreparedRequest } from './conversation/prepared-request.ts';

/** What the entries beside a session, such as `contextFetch`, use besides its public methods. Not for hosts. */
export interface SessionInternals {
  /** Calls that were answered inside fetches. */
  readonly exchanges: Pick<Exchanges, 'add' | 'apply' | 'tools'>;
  /** Resolves when the current state is stored, or the store has failed. */
  readonly save: () => Promise<void>;
  /** The pages that the conversation's own model writes. */
  readonly pages: {
    /** Announces that answered requests are reported with a way to ask their model. */
    attach(): void;
    /** Reports an answered request. Call it before `afterResponse`. */
    noteAnswered(request: PreparedRequest, usage: Usage | null, source: PageSource): void;
    /** Sent as the result of a call that has not been made yet: providers refuse a call without a result. */
    readonly pendingResult: string;
  };
}
