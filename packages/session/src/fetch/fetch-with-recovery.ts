import { jsonText } from '@palimpsest/core/authoring';
import type { Decoded } from '@palimpsest/formats';
import type { Answer, Body, RequestFacts, Wire } from '@palimpsest/formats/wire';
import type { PreparedRequest } from '../conversation/prepared-request.ts';
import type { Session } from '../session.ts';
import { beginningOf } from './beginning-of.ts';
import type { Outgoing } from './outgoing.ts';
import { callSwapped, type ProviderCompaction, toPreparedBody } from './provider-compaction.ts';
import type { RequestModel } from './request-window.ts';
import { type WireRequest, wirePageSource } from './wire-page-source.ts';

/** A `fetch` function as SDKs accept it. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A request that contains a conversation. */
export interface DecodedRequest {
  readonly outgoing: Outgoing;
  readonly wire: Wire;
  /** The parsed body, as the client sent it. */
  readonly original: Body;
  readonly facts: RequestFacts;
  readonly decoded: Decoded<Body>;
}

/** How requests are sent. */
export interface FetchSettings {
  readonly call: FetchFunction;
  readonly model: RequestModel;
  /** The provider's own compaction. */
  readonly native?: ProviderCompaction | undefined;
}

/** A request that was sent. */
export interface FetchReply {
  readonly reply: Response;
  readonly request: PreparedRequest;
  /** The conversation before it was compacted. */
  readonly decoded: Decoded<Body>;
  /** What was sent; `null` if the provider refused it. */
  readonly wireRequest: WireRequest | null;
}

/** Prepares a body, or several forms of it, and returns the one to send. */
export type Choose = (
  prepare: (decoded: Decoded<Body>) => Promise<PreparedRequest>,
) => Promise<Pick<FetchReply, 'decoded' | 'request'>>;

/** A response that refuses a request. */
class RefusedReply {
  readonly status: number;
  readonly body: string;
  readonly sent: FetchReply;

  constructor(body: string, sent: FetchReply) {
    this.status = sent.reply.status;
    this.body = body;
    this.sent = sent;
  }
}

/** Sends a conversation. Repeats it while the provider refuses its size and a smaller request is possible. */
export async function fetchWithRecovery(
  session: Session,
  asked: DecodedRequest,
  settings: FetchSettings,
  choose: Choose = async (prepare) => ({ decoded: asked.decoded, request: await prepare(asked.decoded) }),
): Promise<FetchReply> {
  const { outgoing, wire, facts } = asked;
  const { signal, url } = outgoing;
  const { minTokens } = facts;
  const model = settings.model(facts);
  let decoded = asked.decoded;
  let refused: Response | null = null;
  try {
    const { answer } = await session.adapter.send({
      maxTokens: facts.maxTokens,
      signal,
      async prepare(maxTokens) {
        await refused?.body?.cancel();
        const chosen = await choose(({ messages, native }) =>
          session.beforeRequest(messages, {
            tools: wire.factsOf(native, url).tools,
            maxTokens,
            minTokens,
            model,
            signal,
          }),
        );
        decoded = chosen.decoded;
        return chosen.request;
      },
      async call(request) {
        const sent = await fetchOnce(asked, settings, decoded, request);
        if (sent.reply.ok) return sent;
        refused = sent.reply;
        throw new RefusedReply(await beginningOf(refused), { ...sent, wireRequest: null });
      },
    });
    return answer;
  } catch (error) {
    if (error instanceof RefusedReply) return error.sent;
    throw error;
  }
}

async function fetchOnce(
  { outgoing, wire, original, facts }: DecodedRequest,
  { call, native }: FetchSettings,
  decoded: Decoded<Body>,
  request: PreparedRequest,
): Promise<FetchReply> {
  const { maxTokens, provenance } = request.info;
  let body = wire.codec.encode(decoded, { messages: request.messages, provenance });
  if (maxTokens !== undefined && maxTokens !== facts.maxTokens) body = wire.withCap(body, maxTokens);
  const changed = body === original ? outgoing.body : jsonText(body);
  const swapped =
    native && (await callSwapped(native, toPreparedBody({ wire, body, decoded, request }, outgoing, call)));
  const reply = swapped?.reply ?? (await call(...outgoing.with(changed)));
  // A request with a compaction of the provider has extra headers, and a page could not replace that compaction.
  const wireRequest = swapped ? null : { outgoing, wire, body, sent: changed, headers: reply.headers, call };
  return { reply, request, decoded, wireRequest };
}

/** Passes what an answer reports to the session. */
export function learnFrom(
  session: Session,
  { request, wireRequest }: Pick<FetchReply, 'request' | 'wireRequest'>,
  answer: Answer | null,
): void {
  const { error = null, usage = null } = answer ?? {};
  if (error !== null) {
    session.noteRefusal(session.adapter.failureOf(error, request), request);
    return;
  }
  // No page is written when the client has cancelled the answer.
  session.afterResponse(usage, request, wireRequest && answer?.isComplete ? wirePageSource(wireRequest, answer) : null);
}

/** Passes what a stream reported to the session. A stream that breaks off before its usage does not show the size of the prompt. */
export function learnFromStream(
  session: Session,
  sent: Pick<FetchReply, 'request' | 'wireRequest'>,
  answer: Answer,
  isBroken: boolean,
): void {
  if (!isBroken || answer.usage || answer.error) learnFrom(session, sent, answer);
}
