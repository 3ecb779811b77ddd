import type { PageSource } from './conversation/page-source.ts';
import type { PreparedRequest } from './conversation/prepared-request.ts';
import type { RememberedRounds } from './conversation/remembered-rounds.ts';
import type { ProviderFailure } from './failure/provider-failure.ts';

/** A request that is prepared and sent until the provider takes it. */
export interface RecoverableCall<Request extends PreparedRequest, Answer> {
  readonly maxTokens: number | null | undefined;
  /** When it aborts, preparing throws its reason, as `fetch` does. */
  readonly signal?: AbortSignal | null | undefined;
  prepare(maxTokens: number | null | undefined): Promise<Request>;
  /** Makes the call. Throws the provider's refusal: an error, or the `{ status, body }` of a response. */
  call(request: Request, attempt: number): Promise<Answer>;
  /** Returns what to throw when the request cannot be made smaller. @default the refusal */
  finalError?(refusal: unknown, failure: ProviderFailure, reason: string, attempts: number): unknown;
}

/**
 * What an adapter for a framework uses besides the public methods of a session. `contextFetch` and `contextMiddleware` are
 * built on it, too.
 */
export interface AdapterMethods {
  /** Announces that `afterResponse` will get a page source with each answer. */
  attachPages(): void;
  /**
   * Returns the equal objects of earlier requests, for a framework that parses or copies its messages for each request. They
   * are read and counted once.
   */
  remember<Message>(messages: readonly Message[]): readonly Message[];
  /** Sends a request. Repeats it while the provider refuses its size and a smaller one is possible. */
  send<Request extends PreparedRequest, Answer>(
    call: RecoverableCall<Request, Answer>,
  ): Promise<{ readonly answer: Answer; readonly request: Request }>;
  /** Classifies what refused a request, in view of the request's size. */
  failureOf(refusal: unknown, request: PreparedRequest): ProviderFailure;
  /** Lets the model of an answered request be asked for a page, where `afterResponse` got no page source. */
  offerSource(request: PreparedRequest, source: PageSource): void;
  /** Forgets how the model can be asked for a page. Rules write until the next answer with a page source. */
  forgetSource(): void;
  /** Calls that were answered inside fetches. */
  readonly rounds: Pick<RememberedRounds, 'add' | 'apply' | 'tools'>;
  /** Takes over what other processes stored about the conversation. */
  readonly refresh: () => Promise<void>;
  /** Resolves when the current state is stored, or the store has failed. */
  readonly save: () => Promise<void>;
}
