import { type Message, PalimpsestError } from '@palimpsest/core';
import type { PreparedRequest, RequestOptions } from '../conversation/prepared-request.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { CallContext, Session } from '../session.ts';
import { callWithRecovery } from './call-with-recovery.ts';

/** What `session.run` gets. */
interface Call<M extends Message, Answer> {
  readonly messages: readonly M[];
  readonly call: (messages: PreparedRequest<M>['messages'], context: CallContext) => Promise<Answer>;
  readonly options: RequestOptions | undefined;
}

/** Prepares a request, makes the call, and learns from the answer. Repeats the call when a refusal for size can be solved. */
export async function runCall<M extends Message, Answer>(
  session: Pick<Session, 'beforeRequest' | 'afterResponse' | 'recover'>,
  parts: SessionParts,
  { messages, call, options = {} }: Call<M, Answer>,
): Promise<Answer> {
  const { maxTokens, signal, tools } = options;
  const { answer, request } = await callWithRecovery(session, parts, {
    maxTokens,
    prepare: (lowered) => session.beforeRequest(messages, { ...options, maxTokens: lowered }),
    call: ({ messages: prepared, system, info }, attempt) =>
      call(prepared, { maxTokens: info.maxTokens, system, tools: tools ?? undefined, signal, attempt, info }),
    finalError: compactionExhausted,
  });
  session.afterResponse(answer, request);
  return answer;
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
