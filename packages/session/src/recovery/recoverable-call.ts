import type { PreparedRequest } from '../conversation/prepared-request.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';

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
