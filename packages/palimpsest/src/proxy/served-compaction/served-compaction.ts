import { parseRecord } from '@palimpsest/core/authoring';
import { type Body, isCompactAddress, restoreBlock, restoreItem, wireAt } from '@palimpsest/formats/wire';
import { answerCompact } from './answer-compact.ts';
import { answerMessages } from './answer-messages.ts';
import { answersAt, type ClientRequest, isBesideAnswers, isMarked } from './client-request.ts';
import type { CompactingParts } from './compact-conversation.ts';
import { addressOf, type ServedAddresses } from './served-addresses.ts';
import { refusesField, refusesPath } from './upstream-refusals.ts';

/**
 * Compaction as OpenAI and Anthropic define it, for upstreams that do not offer it: `context_management` and `compaction` of
 * Anthropic Messages, and `POST /responses/compact`.
 */
export class ServedCompaction {
  readonly #parts: CompactingParts;
  readonly #served: ServedAddresses;

  constructor(parts: CompactingParts, served: ServedAddresses) {
    this.#parts = parts;
    this.#served = served;
  }

  /** Answers a request, or sends it on. */
  async answer(request: ClientRequest): Promise<Response> {
    const { url, bytes, headers, sendOn } = request;
    if (isCompactAddress(url)) return this.#answerCompact(request);
    const api = wireAt(answersAt(url))?.name;
    const isPossible = api === 'anthropic' || api === 'openai-responses';
    const given = isPossible && isMarked(bytes, headers) ? parseRecord(bytes.toString()) : null;
    if (!given) return sendOn(bytes);
    return api === 'anthropic' ? this.#answerMessages(request, given) : this.#answerResponses(request, given);
  }

  async #answerMessages(request: ClientRequest, given: Body): Promise<Response> {
    const { url } = request;
    const address = addressOf(url, given, request.headers);
    const wasServed = this.#served.has(address);
    const offered = await this.#offer(address, () => send(request, given, restoreBlock(given)));
    if (offered) return offered;
    const answer = await answerMessages(request, given, isBesideAnswers(url), this.#parts);
    // The request itself is invalid, so the upstream may support compaction after all.
    if (answer.status === 400 && !wasServed) this.#served.delete(address);
    return answer;
  }

  /** `context_management` of OpenAI only says when to compact. The session does that by itself. */
  async #answerResponses(request: ClientRequest, given: Body): Promise<Response> {
    const restored = restoreItem(given);
    const { context_management: management, ...rest } = restored ?? given;
    if (management === undefined) return send(request, given, restored);
    const address = addressOf(request.url, given, request.headers);
    return (await this.#offer(address, () => send(request, given, restored))) ?? send(request, given, rest);
  }

  async #answerCompact(request: ClientRequest): Promise<Response> {
    const { url, bytes, headers, sendOn } = request;
    const given = parseRecord(bytes.toString());
    const offered = await this.#offer(addressOf(url, given ?? {}, headers), () => sendOn(bytes), refusesPath);
    return offered ?? answerCompact(request, given, answersAt(url), this.#parts);
  }

  /** Leaves a request to its upstream. @returns `null` if the upstream does not know what the request asks for */
  async #offer(
    address: string,
    sendIt: () => Promise<Response>,
    isRefused: (reply: Response) => Promise<boolean> = refusesField,
  ): Promise<Response | null> {
    if (this.#served.has(address)) return null;
    const reply = await sendIt();
    if (!(await isRefused(reply))) return reply;
    await reply.body?.cancel();
    this.#served.add(address);
    return null;
  }
}

/** Sends a request on. @param changed the body to send; `null` for the one that was received */
function send({ bytes, sendOn }: ClientRequest, given: Body, changed: Body | null): Promise<Response> {
  return changed ? sendOn(Buffer.from(JSON.stringify(changed))) : sendOn(bytes, given);
}
