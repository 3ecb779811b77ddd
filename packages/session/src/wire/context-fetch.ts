import type { ModelInfo } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import type { Decoded } from '@palimpsest/formats';
import { classifyFailure, classifyResponse } from '../failure/classify-failure.ts';
import type { FailureContext } from '../failure/provider-failure.ts';
import type { PreparedRequest } from '../request/prepared-request.ts';
import type { Session } from '../session.ts';
import { threadIsGone } from './message-thread.ts';
import { type Outgoing, readOutgoing } from './outgoing.ts';
import { RememberedBodies } from './remembered-bodies.ts';
import { watchReply } from './watch-reply.ts';
import {
  type Body,
  type BodyFormat,
  capOf,
  formatOf,
  leastCapOf,
  toolsOf,
  type WireFormat,
  withCap,
} from './wire-format.ts';

/** A `fetch` function as SDKs accept it. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface ContextFetchOptions {
  /** The function that makes the calls. @default the global `fetch`, looked up for each call */
  readonly fetch?: FetchFunction | undefined;
  /** The format of every body, for a gateway with paths of its own. @default detected from path and body */
  readonly format?: WireFormat | undefined;
  /**
   * Returns the window of the model that a body names, for an agent that changes models. `undefined` keeps the session's
   * model. @default the session's model is used for every body
   */
  readonly model?: ((id: string) => ModelInfo | undefined) | undefined;
}

/**
 * Creates a `fetch` for the client of one conversation. The session prepares the requests and learns from the replies; a
 * refusal for size is followed by a smaller request. Works with every method of a client, including streaming. Requests
 * without a conversation, or with one that cannot be read, are sent unchanged.
 *
 * @example
 * const client = new OpenAI({ fetch: contextFetch(session) });
 */
export function contextFetch(session: Session, options: ContextFetchOptions = {}): FetchFunction {
  const call: FetchFunction = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
  const bodies = new RememberedBodies();
  return async (input, init) => {
    const outgoing = await readOutgoing(input, init);
    const conversation = outgoing && read(session, bodies, outgoing, options);
    if (!conversation) return call(input, init);
    const { format, decoded } = conversation;
    return threadIsGone(format, decoded.native) ?? converse(session, conversation, options, call);
  };
}

/** A request that contains a conversation. */
interface Conversation {
  readonly outgoing: Outgoing;
  readonly format: BodyFormat;
  readonly decoded: Decoded<Body>;
}

function read(
  session: Session,
  bodies: RememberedBodies,
  outgoing: Outgoing,
  options: ContextFetchOptions,
): Conversation | null {
  const body = parsedObject(outgoing.text);
  const format = body && formatOf(outgoing.path, body, options.format);
  if (!format) return null;
  const list = body[format.list];
  const native = Array.isArray(list) ? { ...body, [format.list]: bodies.recall(list) } : body;
  try {
    const decoded = format.codec.decode(native);
    if (!decoded.continues) return { outgoing, format, decoded };
    session.notePassedThrough(
      `The request continues a conversation that the provider stores ("${decoded.continues}"), so its messages are not visible here. Send the whole input instead, with "store": false.`,
    );
  } catch (error) {
    session.notePassedThrough(error instanceof Error ? error.message : 'The conversation cannot be read.');
  }
  return null;
}

/** Sends a conversation. Repeats it while the provider refuses its size and a smaller request is possible. */
async function converse(
  session: Session,
  { outgoing, format, decoded }: Conversation,
  options: ContextFetchOptions,
  call: FetchFunction,
): Promise<Response> {
  const { native, messages } = decoded;
  const { signal } = outgoing;
  const asked = capOf(format, native);
  let maxTokens = asked;
  for (;;) {
    const model = typeof native.model === 'string' ? options.model?.(native.model) : undefined;
    const request = await session
      .beforeRequest(messages, { tools: toolsOf(native), maxTokens, leastTokens: leastCapOf(native), model, signal })
      .catch((error: unknown) => {
        // fetch rejects with the reason of the signal.
        throw signal?.aborted ? signal.reason : error;
      });
    const { info } = request;
    let body = format.codec.encode(decoded, { messages: request.messages, provenance: info.provenance });
    if (info.maxTokens !== undefined && info.maxTokens !== asked) body = withCap(format, body, info.maxTokens);
    const text = body === native ? outgoing.text : jsonText(body);
    let reply: Response;
    try {
      reply = await call(...outgoing.with(text));
    } catch (error) {
      // Some servers close the connection when a request is too long.
      const failure = classifyFailure(error, contextOf(session, request));
      if (failure.action !== 'compress') throw error;
      const recovery = await session.recover(failure, request, info.maxTokens);
      if (!recovery.retry) throw error;
      maxTokens = recovery.maxTokens;
      continue;
    }
    if (reply.ok) return watched(session, request, reply);
    const failure = classifyResponse(reply.status, await reply.clone().text(), contextOf(session, request));
    if (failure.action === 'none') return reply;
    const recovery = await session.recover(failure, request, info.maxTokens);
    if (!recovery.retry) return reply;
    maxTokens = recovery.maxTokens;
    await reply.body?.cancel();
  }
}

function watched(session: Session, request: PreparedRequest, reply: Response): Response {
  return watchReply(reply, ({ usage, error }) => {
    if (error === null) session.afterResponse(usage, request);
    else session.noteRefusal(classifyFailure(error, contextOf(session, request)));
  });
}

function contextOf(session: Session, { info }: PreparedRequest): FailureContext {
  return { promptTokens: info.tokens, contextLength: session.status().contextLength };
}

function parsedObject(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}
