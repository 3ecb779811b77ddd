import { type Message, PalimpsestError } from '@palimpsest/core';
import type { RecoverableCall } from '../adapter-methods.ts';
import type { PreparedRequest, RequestOptions } from '../conversation/prepared-request.ts';
import { classifyFailure } from '../failure/classify-failure.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { failureContext } from '../recovery/recover.ts';
import type { CallContext, Session } from '../session.ts';
import type { RequestOperations } from './request-operations.ts';

/** Classifies what refused a request, in view of the request's size. */
export function failureOf(parts: SessionParts, refusal: unknown, request: PreparedRequest): ProviderFailure {
  const sent = parts.conversation.requests.findSent(request);
  return classifyFailure(refusal, sent ? failureContext(parts, sent) : {});
}

/** Sends a request. Repeats it while the provider refuses its size and a smaller one is possible. */
export async function sendRequest<Request extends PreparedRequest, Answer>(
  { recover }: Pick<RequestOperations, 'recover'>,
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
      const recovery = await recover(failure, request, request.info.maxTokens);
      if (!recovery.retry)
        throw recovery.exhausted !== null && finalError
          ? finalError(refusal, failure, recovery.exhausted, attempt)
          : refusal;
      maxTokens = recovery.maxTokens;
    }
  }
}

/** The method `run` of a session: prepares a request, sends it with the host's function, and learns from the answer. */
export function runOperation(operations: RequestOperations, parts: SessionParts): Pick<Session, 'run'> {
  return {
    async run<M extends Message, Answer>(
      messages: readonly M[],
      call: (messages: PreparedRequest<M>['messages'], context: CallContext) => Promise<Answer>,
      options: RequestOptions = {},
    ): Promise<Answer> {
      const { maxTokens, signal, tools } = options;
      const { answer, request } = await sendRequest(operations, parts, {
        maxTokens,
        prepare: (lowered) => operations.beforeRequest(messages, { ...options, maxTokens: lowered }),
        call: ({ messages: prepared, system, info }, attempt) =>
          call(prepared, { maxTokens: info.maxTokens, system, tools: tools ?? undefined, signal, attempt, info }),
        finalError: compactionExhausted,
      });
      operations.afterResponse(answer, request);
      return answer;
    },
  };
}

function compactionExhausted(
  cause: unknown,
  failure: ProviderFailure,
  reason: string,
  attempts: number,
): PalimpsestError {
  return new PalimpsestError(
    'COMPACTION_EXHAUSTED',
    `The provider refused the request because of its size (${failure.class}), and it could not be made smaller: ${reason} Use a model with a larger window, or start a new session.`,
    { attempts, reason, class: failure.class, limitTokens: failure.limitTokens },
    { cause },
  );
}
