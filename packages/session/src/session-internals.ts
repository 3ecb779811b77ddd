import type { Usage } from '@palimpsest/core';
import type { PageSource } from './conversation/page-source.ts';
import type { PreparedRequest } from './conversation/prepared-request.ts';
import type { RememberedRounds } from './conversation/remembered-rounds.ts';
import type { ProviderFailure } from './failure/provider-failure.ts';
import type { Sending } from './recovery/sending.ts';

/** What the entries beside a session, such as `contextFetch`, use besides its public methods. Not for hosts. */
export interface SessionInternals {
  /** Calls that were answered inside fetches. */
  readonly rounds: Pick<RememberedRounds, 'add' | 'apply' | 'tools'>;
  /** Resolves when the current state is stored, or the store has failed. */
  readonly save: () => Promise<void>;
  /** Announces that the model of answered requests can be asked for a page. */
  attachPages(): void;
  /** Sent as the result of a call that has not been made yet: providers refuse a call without a result. */
  readonly pendingResult: string;
  /** Sends a request. Repeats it while the provider refuses its size and a smaller one is possible. */
  send<Request extends PreparedRequest, Answer>(
    sending: Sending<Request, Answer>,
  ): Promise<{ readonly answer: Answer; readonly request: Request }>;
  /** Notes how the model of an answered request can be asked for a page. Call it before `afterResponse`. */
  noteSource(request: PreparedRequest, usage: Usage | null, source: PageSource): void;
  /** Has rules write until the next answered request is noted, so that nobody waits for a model. */
  forgetSource(): void;
  /** False if the headers of an answer say that another prompt of its size would reach a rate limit. */
  hasRoom(headers: Headers, promptTokens?: number): boolean;
  /** Classifies what refused a request, in view of the request's size. */
  failureOf(refusal: unknown, request: PreparedRequest): ProviderFailure;
}
