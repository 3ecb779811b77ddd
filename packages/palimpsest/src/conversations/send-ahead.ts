import type { FetchFunction } from '@palimpsest/session/fetch';
import { copiedReply } from './copied-reply.ts';
import type { ConversationRequest } from './read-conversation.ts';

/** A request that the session has sent as it came. */
export interface SentUnchanged extends Pick<ConversationRequest, 'version' | 'model' | 'maxTokens'> {
  /** Tokens by which the next request may be longer. */
  readonly roomTokens: number;
}

/** The session looks at a request when its reply has begun, or this long after the reply's head. Milliseconds. */
const longestWait = 100;

/**
 * True for a request that the session would send as it is. It is the request before it, which was sent unchanged, and more
 * messages. Even if each byte of them was a token, the conversation would not be compacted.
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
 * @param look gives a request to the session, which calls the provider through the second function
 * @returns the reply, and a promise of the end of the session's work
 */
export async function sendAhead(
  send: FetchFunction,
  look: (send: FetchFunction) => Promise<Response>,
  [input, init]: Parameters<FetchFunction>,
): Promise<{ readonly reply: Response; readonly looked: Promise<void> }> {
  const reply = await send(input, init);
  if (!reply.ok) {
    // The session knows what to do about a refusal. What it sends next, is another request.
    let isFirst = true;
    const again: FetchFunction = (...given) => {
      const isSame = isFirst && given[1]?.body === init?.body;
      isFirst = false;
      return isSame ? Promise.resolve(reply) : send(...given);
    };
    return { reply: await look(again), looked: Promise.resolve() };
  }
  const { passed, copy, begun } = copiedReply(reply);
  const looked = atLast(begun).then(async () => {
    // The provider has the request as it came. Should the session have changed it, then the reply says nothing about that.
    const answered = await look((...given) =>
      Promise.resolve(given[1]?.body === init?.body ? copy : new Response(null)),
    );
    await answered.body?.pipeTo(new WritableStream());
  });
  return { reply: passed, looked: looked.catch(() => undefined) };
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
