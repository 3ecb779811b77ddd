import type { Message } from '@palimpsest/core';
import type { PreparedRequest, RequestOptions, Session } from '@palimpsest/session';

/** Callbacks during the requests of a session. */
export interface SessionObserver {
  /** Called with the history before the request made of it is sent; the request waits for it. */
  onPrepared(
    request: PreparedRequest,
    history: readonly Message[],
    options: RequestOptions | undefined,
  ): Promise<void> | void;
  /** Called with the usage report of an answer. */
  onAnswer(usage: unknown, request: PreparedRequest | undefined): void;
}

/** An answer may take at most the window divided by this number. */
const answerPart = 4;

/**
 * Wraps a session so that its requests are observed. Agents may request answers of 32,000 tokens whatever the window
 * is. Such a limit is lowered to a quarter of the window: the prompt gets the rest, and the provider accepts their sum.
 */
export function observeSession(session: Session, observer: SessionObserver): Session {
  return {
    ...session,
    async beforeRequest(messages, options) {
      const maxAnswerTokens = Math.floor(
        (options?.model?.contextLength ?? session.status().contextLength) / answerPart,
      );
      const maxTokens = options?.maxTokens;
      const request = await session.beforeRequest(
        messages,
        maxTokens && maxAnswerTokens > 0 && maxTokens > maxAnswerTokens
          ? { ...options, maxTokens: maxAnswerTokens }
          : options,
      );
      await observer.onPrepared(request, messages, options);
      return request;
    },
    afterResponse(usage, request, source) {
      observer.onAnswer(usage, request);
      session.afterResponse(usage, request, source);
    },
  };
}
