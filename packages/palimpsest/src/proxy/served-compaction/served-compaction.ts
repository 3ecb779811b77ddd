import { parseRecord } from '@palimpsest/core/authoring';
import {
  type Body,
  isCompactAddress,
  readContextManagement,
  restoreBlock,
  restoreItem,
  wireAt,
} from '@palimpsest/formats/wire';
import type { FetchFunction } from '@palimpsest/session/fetch';
import { answerCompact } from './answer-compact.ts';
import { answerMessages } from './answer-messages.ts';
import { clearEdits, compactionBetas, countOf, reportOf, withoutManagement } from './anthropic-answers.ts';
import type { AskedRequest } from './asked-request.ts';
import type { CompactingParts } from './compact-conversation.ts';
import { editAnswer } from './edit-answer.ts';
import { refusesField, refusesPath } from './refusals.ts';

/** Texts without which a request neither asks for a compaction nor contains one. */
const marks = ['"context_management"', '"compaction"'];

/** Milliseconds until an upstream that has refused is asked again: it may have learned since. */
const refusedForMs = 3_600_000;
const maxRefusing = 1_000;

/** The end of an address that counts a prompt or compacts a conversation, after the address for answers. */
const besideAnswers = /(?<=\/(?:messages|responses))\/(?:count_tokens|input_tokens|compact)\/?$/;

/**
 * Compaction as OpenAI and Anthropic define it, for upstreams that do not offer it: `context_management` and `compaction` of
 * Anthropic Messages, and `POST /responses/compact`.
 */
export class ServedCompaction {
  readonly #parts: CompactingParts;
  /** True if it is served also where the upstream may know it. */
  readonly #isAlways: boolean;
  /** Addresses, models and betas that were refused, with the time at which each is tried again. The oldest first. */
  readonly #refusing = new Map<string, number>();

  constructor(parts: CompactingParts, isAlways: boolean) {
    this.#parts = parts;
    this.#isAlways = isAlways;
  }

  /** Answers a request, or sends it on. */
  async answer(asked: AskedRequest): Promise<Response> {
    const { url, bytes, headers, sendOn } = asked;
    if (isCompactAddress(url)) return this.#answerCompact(asked);
    const api = wireAt(answersAt(url))?.name;
    const isPossible = api === 'anthropic' || api === 'openai-responses';
    const given = isPossible && isMarked(bytes, headers) ? parseRecord(bytes.toString()) : null;
    if (!given) return sendOn(bytes);
    return api === 'anthropic' ? this.#answerMessages(asked, given) : this.#answerResponses(asked, given);
  }

  /** Makes calls. What a served request asks for in `context_management` is carried out here, and is not sent. */
  fetch(call: FetchFunction): FetchFunction {
    return async (input, init = {}) => {
      if (!this.#isAlways && this.#refusing.size === 0) return call(input, init);
      const { body: sent } = init;
      const given = new Headers(init.headers);
      const text = typeof sent === 'string' ? sent : sent instanceof Uint8Array ? asBuffer(sent) : '';
      const url = new URL(String(input));
      const isPossible = isMarked(text, given) && wireAt(answersAt(url))?.name === 'anthropic';
      const body = isPossible ? parseRecord(text.toString()) : null;
      if (!body || !this.#isServed(addressOf(url, body, given))) return call(input, init);
      const asked = readContextManagement(body);
      const { body: stripped, headers } = withoutManagement(body, given);
      if (asked === null || typeof asked === 'string')
        return call(input, { ...init, headers, body: JSON.stringify(stripped) });
      const { body: cleared, applied } = clearEdits(stripped, asked.clears, answersAt(url), this.#parts.tokens);
      const reply = await call(input, { ...init, headers, body: JSON.stringify(cleared) });
      return editAnswer(reply, isBesideAnswers(url) ? countOf(applied) : reportOf(applied));
    };
  }

  async #answerMessages(asked: AskedRequest, given: Body): Promise<Response> {
    const { url } = asked;
    const address = addressOf(url, given, asked.headers);
    const wasServed = this.#isServed(address);
    const offered = await this.#offer(address, () => send(asked, restoreBlock(given, false)));
    if (offered) return offered;
    const answer = await answerMessages(asked, given, isBesideAnswers(url), this.#parts);
    // The request itself is invalid, so the upstream may support compaction after all.
    if (answer.status === 400 && !wasServed) this.#refusing.delete(address);
    return answer;
  }

  /** `context_management` of OpenAI only says when to compact. The session does that by itself. */
  async #answerResponses(asked: AskedRequest, given: Body): Promise<Response> {
    const restored = restoreItem(given);
    const { context_management: management, ...rest } = restored ?? given;
    if (management === undefined) return send(asked, restored);
    const address = addressOf(asked.url, given, asked.headers);
    return (await this.#offer(address, () => send(asked, restored))) ?? send(asked, rest);
  }

  async #answerCompact(asked: AskedRequest): Promise<Response> {
    const { url, bytes, headers, sendOn } = asked;
    const given = parseRecord(bytes.toString());
    const offered = await this.#offer(addressOf(url, given ?? {}, headers), () => sendOn(bytes), refusesPath);
    return offered ?? answerCompact(asked, given, answersAt(url), this.#parts);
  }

  /** Leaves a request to its upstream. @returns `null` if the upstream does not know what the request asks for */
  async #offer(
    address: string,
    sendIt: () => Promise<Response>,
    isRefused: (reply: Response) => Promise<boolean> = refusesField,
  ): Promise<Response | null> {
    if (this.#isServed(address)) return null;
    const reply = await sendIt();
    if (!(await isRefused(reply))) return reply;
    await reply.body?.cancel();
    this.#refusing.set(address, Date.now() + refusedForMs);
    if (this.#refusing.size > maxRefusing) this.#refusing.delete(this.#refusing.keys().next().value!);
    return null;
  }

  #isServed(address: string): boolean {
    return this.#isAlways || (this.#refusing.get(address) ?? 0) > Date.now();
  }
}

/** Sends a request on. @param changed the body to send; `null` for the one that was received */
function send({ bytes, sendOn }: AskedRequest, changed: Body | null): Promise<Response> {
  return sendOn(changed ? Buffer.from(JSON.stringify(changed)) : bytes);
}

/** True for a request that may ask for a compaction or contain one. The beta header alone may be refused as well. */
function isMarked(text: Buffer | string, headers: Headers): boolean {
  return compactionBetas(headers).length > 0 || marks.some((mark) => text.includes(mark));
}

function isBesideAnswers({ pathname }: URL): boolean {
  return besideAnswers.test(pathname);
}

/** The address for answers of the same API. */
function answersAt(url: URL): URL {
  const answers = new URL(url);
  answers.pathname = url.pathname.replace(besideAnswers, '');
  return answers;
}

/**
 * What an upstream refuses: a feature at an address, for a model, with these betas. Gateways send models to different
 * providers, and a client may name a beta that does not exist.
 */
function addressOf({ origin, pathname }: URL, { model }: Body, headers: Headers): string {
  return `${origin}${pathname} ${String(model).slice(0, 200)} ${compactionBetas(headers).join(' ').slice(0, 200)}`;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
