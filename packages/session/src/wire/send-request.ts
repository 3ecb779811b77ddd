import type { ModelInfo } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import type { Decoded } from '@palimpsest/formats';
import type { Answer, Body, RequestFacts, Wire } from '@palimpsest/formats/wire';
import type { PreparedRequest } from '../conversation/prepared-request.ts';
import { classifyFailure, classifyResponse } from '../failure/classify-failure.ts';
import type { FailureContext } from '../failure/provider-failure.ts';
import type { Session } from '../session.ts';
import { beginningOf } from './beginning-of.ts';
import type { Outgoing } from './outgoing.ts';
import { callSwapped, type ProviderCompaction, preparedBody } from './provider-compaction.ts';
import { type WireRequest, wirePageSource } from './wire-page-source.ts';

/** A `fetch` function as SDKs accept it. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A request that contains a conversation. */
export interface Conversation {
  readonly outgoing: Outgoing;
  readonly wire: Wire;
  /** The parsed body, as the client sent it. */
  readonly original: Body;
  readonly facts: RequestFacts;
  readonly decoded: Decoded<Body>;
}

/** How requests are sent. */
export interface SendOptions {
  readonly call: FetchFunction;
  readonly model: ((id: string) => ModelInfo | undefined) | undefined;
  /** The provider's own compaction. */
  readonly native?: ProviderCompaction | undefined;
}

/** A request that was sent. */
export interface SentConversation {
  readonly reply: Response;
  readonly request: PreparedRequest;
  /** The conversation before it was compacted. */
  readonly decoded: Decoded<Body>;
  /** What was sent; `null` if the provider refused it. */
  readonly sentAs: WireRequest | null;
}

/** Prepares a body, or several forms of it, and returns the one to send. */
export type Choose = (
  prepare: (decoded: Decoded<Body>) => Promise<PreparedRequest>,
) => Promise<Pick<SentConversation, 'decoded' | 'request'>>;

/** Sends a conversation. Repeats it while the provider refuses its size and a smaller request is possible. */
export async function sendRequest(
  session: Session,
  { outgoing, wire, original, facts, decoded: given }: Conversation,
  { call, model, native }: SendOptions,
  choose: Choose = async (prepare) => ({ decoded: given, request: await prepare(given) }),
): Promise<SentConversation> {
  const { signal } = outgoing;
  const { maxTokens: asked, leastTokens, model: named } = facts;
  let maxTokens = asked;
  const prepare = (decoded: Decoded<Body>): Promise<PreparedRequest> =>
    session
      .beforeRequest(decoded.messages, {
        tools: wire.factsOf(decoded.native, outgoing.url).tools,
        maxTokens,
        leastTokens,
        model: named === undefined ? undefined : model?.(named),
        signal,
      })
      .catch((error: unknown) => {
        // fetch rejects with the reason of the signal.
        throw signal?.aborted ? signal.reason : error;
      });
  for (;;) {
    const { decoded, request } = await choose(prepare);
    const { info } = request;
    let body = wire.codec.encode(decoded, { messages: request.messages, provenance: info.provenance });
    if (info.maxTokens !== undefined && info.maxTokens !== asked) body = wire.withCap(body, info.maxTokens);
    const changed = body === original ? outgoing.body : jsonText(body);
    let reply: Response;
    let isSwapped = false;
    try {
      const swapped = native && (await callSwapped(native, preparedBody(outgoing, wire, body, decoded, request, call)));
      reply = swapped?.reply ?? (await call(...outgoing.with(changed)));
      isSwapped = swapped != null;
    } catch (error) {
      // Some servers close the connection when a request is too long.
      const failure = classifyFailure(error, contextOf(session, request));
      if (failure.action !== 'compress' && failure.about !== 'closed') {
        if (!signal?.aborted) session.noteRefusal(failure);
        throw error;
      }
      const recovery = await session.recover(failure, request, info.maxTokens);
      if (!recovery.retry) throw error;
      maxTokens = recovery.maxTokens;
      continue;
    }
    if (reply.ok) {
      // A request with a compaction of the provider has headers of its own, and no page replaces that compaction.
      const sentAs = isSwapped ? null : { outgoing, wire, body, sent: changed, headers: reply.headers, call };
      return { reply, request, decoded, sentAs };
    }
    const failure = classifyResponse(reply.status, await beginningOf(reply), contextOf(session, request));
    if (failure.action === 'none') {
      session.noteRefusal(failure);
      return { reply, request, decoded, sentAs: null };
    }
    const recovery = await session.recover(failure, request, info.maxTokens);
    if (!recovery.retry) return { reply, request, decoded, sentAs: null };
    maxTokens = recovery.maxTokens;
    await reply.body?.cancel();
  }
}

/** Passes what an answer reports to the session. */
export function learnFrom(
  session: Session,
  { request, sentAs }: Pick<SentConversation, 'request' | 'sentAs'>,
  answer: Answer | null,
): void {
  const { error = null, usage = null } = answer ?? {};
  if (error !== null) {
    session.noteRefusal(classifyFailure(error, contextOf(session, request)));
    return;
  }
  // A client that cancels an answer is not to pay for a page.
  if (sentAs && answer?.isComplete)
    session.internals.pages.noteAnswered(request, usage, wirePageSource(sentAs, answer));
  session.afterResponse(usage, request);
}

function contextOf(session: Session, { info }: PreparedRequest): FailureContext {
  return { promptTokens: info.tokens, contextLength: session.status().contextLength };
}
