import type { FetchFunction } from '@palimpsest/session/fetch';
import { copiedReply } from './copied-reply.ts';
import type { ConversationRequest } from './read-conversation.ts';

/** A request that was sent unchanged. */
export interface SentUnchanged extends Pick<ConversationRequest, 'version' | 'model' | 'maxTokens'> {
  /** Tokens by which the next request may be longer. */
  readonly roomTokens: number;
}

/** Milliseconds after the reply's headers at which the session looks at a request, if no chunk has come before. */
const longestWait = 100;

/**
 * True if the session would send a request unchanged. The request must extend one that was sent unchanged. It must fit
 * without compaction even if each new byte were a token.
 */
export function isSentUnchanged(
  { growth, model, maxTokens }: ConversationRequest,
  before: SentUnchanged | null,
): boolean {
  if (!before || !growth || growth.from !== before.version || growth.hasMedia) return false;
  return model === before.model && maxTokens === before.maxTokens && growth.bytes < before.roomTokens;
}

/**
 * Sends a request before the session has looked at it, so that the client waits only for the provider. The session gets the
 * request and the reply while the reply is passed on.
 * @param handle gives the request to the session, which calls the provider through the given function
 * @returns the reply, and a promise of the end of the session's work
 */
export async function sendAhead(
  send: FetchFunction,
  handle: (send: FetchFunction) => Promise<Response>,
  [input, init]: Parameters<FetchFunction>,
): Promise<{ readonly reply: Response; readonly handled: Promise<void> }> {
  const reply = await send(input, init);
  if (!reply.ok) {
    // The session handles a refusal. Anything it sends after that is another request.
    let isFirst = true;
    const again: FetchFunction = (...given) => {
      const isSame = isFirst && given[1]?.body === init?.body;
      isFirst = false;
      return isSame ? Promise.resolve(reply) : send(...given);
    };
    return { reply: await handle(again), handled: Promise.resolve() };
  }
  const { passed, copy, begun } = copiedReply(reply);
  const handled = atLast(begun).then(async () => {
    // The provider got the request unchanged. If the session changed it, the reply does not apply to that.
    const answered = await handle((...given) =>
      Promise.resolve(given[1]?.body === init?.body ? copy : new Response(null)),
    );
    await answered.body?.pipeTo(new WritableStream());
  });
  return { reply: passed, handled: handled.catch(() => undefined) };
}

/** Resolves after the work that is due now, such as writing to the client. */
function atLast(begun: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestWait);
    void begun.then(() => {
      clearTimeout(timer);
      setImmediate(resolve);
    });
  });
}
