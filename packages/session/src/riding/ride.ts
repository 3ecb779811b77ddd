import type { SummarizeRequest, SummarizeResponse } from '@palimpsest/core';
import { answerReader, appendItems, type Wire } from '@palimpsest/formats/wire';
import type { AnsweredRequest } from '../conversation/last-request.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** The last prompt must have been cached to this share, or its provider may not cache at all. */
const leastCachedShare = 0.5;
/** A summary may be this much longer than requested. */
const overlength = 1.5;
/** Characters per token, at least. */
const dense = 3;

/**
 * Sends the last request again with one more message, an instruction to summarize.
 * @returns `null` when the request cannot be ridden on, or the ridden call failed
 */
export async function ride(
  parts: SessionParts,
  request: SummarizeRequest,
  cacheMs: number,
): Promise<SummarizeResponse | null> {
  const { events } = parts;
  const { lastRequest } = parts.conversation;
  const last = lastRequest.current;
  const { instruction, signal } = request;
  if (!last || instruction === undefined || !isRidable(parts, last, request, cacheMs)) return null;
  const { body, call, outgoing, sent, wire } = last.sentAs;
  const text = appendItems(wire, body, sent, [wire.userMessage(instruction)]);
  if (text === null) return null;
  const publish = (response: SummarizeResponse | null, reason: string | null): void => {
    const { promptTokens = null, cachedTokens = null } = response?.usage ?? {};
    events.publish({ type: 'summary-ridden', promptTokens, cachedTokens, failure: reason });
  };
  try {
    const [input, init] = outgoing.with(text);
    const headers = new Headers(init.headers);
    // The provider would answer with the reply to the first request.
    headers.delete('idempotency-key');
    const reply = await call(input, { ...init, headers, signal: signal ?? null });
    const response = await readAnswer(reply, wire, wire.factsOf(body, outgoing.url).isStreamed);
    if ('failure' in response) {
      publish(null, response.failure);
      return null;
    }
    parts.compactions.spending.noteRidden(last.sent.model);
    publish(response, null);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    publish(null, errorReason(error));
    return null;
  }
}

/** Reads a whole reply. @returns why it cannot be used when it is not a complete text without calls */
async function readAnswer(
  reply: Response,
  wire: Wire,
  isStreamed: boolean,
): Promise<SummarizeResponse | { readonly failure: string }> {
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const reader = reply.ok ? answerReader(wire, reply.headers.get('content-type') ?? '', isStreamed) : null;
  if (!reader) return { failure: `The provider answered with status ${reply.status}.` };
  reader.read(bytes);
  const { error, hasHostCalls, isComplete, text, usage } = reader.end();
  if (error !== null) return { failure: 'The reply has an error.' };
  if (hasHostCalls) return { failure: 'The model called a tool.' };
  if (!isComplete) return { failure: 'The reply is not complete.' };
  return { text, finishReason: 'stop', ...(usage ? { usage } : {}) };
}

/** True while the cache is warm, for a summary of messages that the last request has, if there is room for it. */
function isRidable(
  { clock, conversation: { requests }, provider: { model } }: SessionParts,
  { sentAs: { body, outgoing, wire }, sent, answeredAt, cachedShare }: AnsweredRequest,
  { budgetTokens, instruction = '', material }: SummarizeRequest,
  cacheMs: number,
): boolean {
  if (clock.now() - answeredAt >= cacheMs || cachedShare === null || cachedShare < leastCachedShare) return false;
  if (wire.obstaclesIn(body).text !== null) return false;
  const cap = wire.factsOf(body, outgoing.url).maxTokens;
  if (sent.model !== model.id || (cap !== undefined && cap < budgetTokens * overlength)) return false;
  const added = Math.ceil(instruction.length / dense);
  const size = { ...sent.size, tokens: sent.size.tokens + added, estimatedTokens: sent.size.estimatedTokens + added };
  if (model.isExceeded(size, cap)) return false;
  const now = requests.compacting?.intake.messages ?? [];
  const newer = now.length - sent.input.intake.messages.length;
  // What is newer than the last request has to stay, because the ridden prompt does not have it.
  return newer >= 0 && (newer === 0 || newer <= (material.kept?.after.messages.length ?? 0));
}
