import { type Message, PalimpsestError } from '@palimpsest/core';
import { classifyFailure } from './failure/classify-failure.ts';
import type { ProviderFailure } from './failure/provider-failure.ts';
import type { PreparedRequest, RequestOptions } from './prepared-request.ts';
import { failureContext } from './recovery/recover.ts';
import type { CallContext, Session } from './session.ts';
import type { SessionRuntime } from './session-runtime.ts';

/** Prepares a request, makes the call, learns from the answer, and repeats it when it was refused for a size that can be helped. */
export async function runCall<M extends Message, Answer>(
  session: Session,
  runtime: SessionRuntime,
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
      const sent = runtime.sentAs.get(request);
      const failure = classifyFailure(error, sent ? failureContext(runtime.core, sent) : {});
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
    `The provider refused the request for its size (${failure.class}), and no smaller one could be made: ${reason} Use a model with a larger window, or start a fresh session.`,
    { attempts, reason, class: failure.class, limitTokens: failure.limitTokens },
    { cause },
  );
}
