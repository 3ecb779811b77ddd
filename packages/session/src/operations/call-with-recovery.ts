import type { PreparedRequest } from '../conversation/prepared-request.ts';
import { classifyFailure } from '../failure/classify-failure.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { failureContext } from '../recovery/recover.ts';
import type { RecoverableCall } from '../recovery/recoverable-call.ts';
import type { Session } from '../session.ts';

/** Classifies what refused a request, in view of the request's size. */
export function failureOf(parts: SessionParts, refusal: unknown, request: PreparedRequest): ProviderFailure {
  const sent = parts.conversation.requests.findSent(request);
  return classifyFailure(refusal, sent ? failureContext(parts, sent) : {});
}

/** Sends a request. Repeats it while the provider refuses its size and a smaller one is possible. */
export async function callWithRecovery<Request extends PreparedRequest, Answer>(
  session: Pick<Session, 'recover'>,
  parts: SessionParts,
  { maxTokens: asked, signal, prepare, call, finalError }: RecoverableCall<Request, Answer>,
): Promise<{ readonly answer: Answer; readonly request: Request }> {
  let maxTokens = asked;
  for (let attempt = 1; ; attempt++) {
    const request = await prepare(maxTokens).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    });
    try {
      return { answer: await call(request, attempt), request };
    } catch (refusal) {
      if (signal?.aborted) throw refusal;
      const failure = failureOf(parts, refusal, request);
      const recovery = await session.recover(failure, request, request.info.maxTokens);
      if (!recovery.retry)
        throw recovery.exhausted !== null && finalError
          ? finalError(refusal, failure, recovery.exhausted, attempt)
          : refusal;
      maxTokens = recovery.maxTokens;
    }
  }
}
