import type { PreparedRequest, Session } from '@palimpsest/session';

/** What is called during the requests of a session. */
export interface SessionObserver {
  /** Called before a prepared request is sent; the request waits for it. */
  prepared(request: PreparedRequest): Promise<void> | void;
  /** Called with the usage report of an answer. */
  answered(usage: unknown): void;
}

/** The same session, whose requests are observed. */
export function observedSession(session: Session, observer: SessionObserver): Session {
  return {
    ...session,
    async beforeRequest(messages, options) {
      const request = await session.beforeRequest(messages, options);
      await observer.prepared(request);
      return request;
    },
    afterResponse(usage, request) {
      observer.answered(usage);
      session.afterResponse(usage, request);
    },
  };
}
