import { type Message, PalimpsestError } from '@palimpsest/core';
import type { PreparedRequest, RequestOptions } from '../conversation/prepared-request.ts';
import { classifyFailure } from '../failure/classify-failure.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { failureContext } from '../recovery/recover.ts';
import type { CallContext, Session } from '../session.ts';

/** Prepares a request, makes the call, and learns from the answer. Repeats the call when a refusal for size can be solved. */
export async function runCall<M extends Message, Answer>(
  session: Pick<Session, 'beforeRequest' | 'afterResponse' | 'recover'>,
  parts: SessionParts,
  messages: readonly M[],
  call: (messages: PreparedRequest<M>['messages'], context: CallContext) => Promise<Answer>,
  options: RequestOptions,
): Promise<Answer> {
  let { maxTokens } = options;
  for (let attempt = 1; ; attempt++) {
    const request = await session.beforeRequest(messages, { ...options, maxTokens });
    const { info } = request;
    const context: CallContext = {
      maxTokens: info.maxTokens,
      system: request.system,
      tools: options.tools ?? undefined,
      signal: options.signal,
      attempt,
      info,
    };
    let answer: Answer;
    try {
      answer = await call(request.messages, context);
    } catch (error) {
      const sent = parts.conversation.requests.sentAs(request);
      const failure = classifyFailure(error, sent ? failureContext(parts, sent) : {});
      const recovery = await session.recover(failure, request, info.maxTokens);
      if (!recovery.retry) {
        if (recovery.exhausted === null) throw error;
        throw exhaustedError(failure, recovery.exhausted, attempt, error);
      }
      maxTokens = recovery.maxTokens;
      continue;
    }
    session.afterResponse(answer, request);
    return answer;
  }
}

function exhaustedError(failure: ProviderFailure, reason: string, attempts: number, cause: unknown): PalimpsestError {
  return new PalimpsestError(
    'COMPRESSION_EXHAUSTED',
    `The provider refused the request because of its size (${failure.class}), and it could not be made smaller: ${reason} Use a model with a larger window, or start a new session.`,
    { attempts, reason, class: failure.class, limitTokens: failure.limitTokens },
    { cause },
  );
}
