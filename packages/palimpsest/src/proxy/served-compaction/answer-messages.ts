import { randomUUID } from 'node:crypto';
import {
  type Body,
  compactionBlock,
  compactionMessage,
  messageEvents,
  readContextManagement,
  restoreBlock,
  wireNamed,
} from '@palimpsest/formats/wire';
import { withBlock } from './anthropic-answers.ts';
import type { ClientRequest } from './client-request.ts';
import type { CompactedConversation, CompactingParts } from './compact-conversation.ts';
import { compactForClient } from './compact-for-client.ts';
import { editAnswer, messageReply } from './edit-answer.ts';
import { anthropicError } from './error-replies.ts';
import { spendingOf } from './spending.ts';

/**
 * Answers a request of Anthropic Messages whose upstream does not know compaction.
 * @param given its body
 * @param isCount true for a request that only counts. It compacts nothing
 */
export async function answerMessages(
  request: ClientRequest,
  given: Body,
  isCount: boolean,
  parts: CompactingParts,
): Promise<Response> {
  const management = readContextManagement(given);
  if (typeof management === 'string') return anthropicError(management);
  const restored = restoreBlock(given, { acceptsForeign: true });
  const sendOn = (body: Body | null): Promise<Response> =>
    body ? request.sendOn(Buffer.from(JSON.stringify(body))) : request.sendOn(request.bytes, given);
  const compact = isCount ? null : (management?.compact ?? null);
  if (!compact) return sendOn(restored);
  const compacted = await compactForClient(request, { url: request.url, body: restored ?? given }, compact, parts);
  if (!compacted) {
    if (given.compaction !== undefined) return anthropicError('compaction: there is nothing to summarize');
    return sendOn(restored);
  }
  const block = compactionBlock(compacted.text, compacted.body.messages as Body[]);
  const usage = usageOf(compacted);
  if (!compact.isAlone) return editAnswer(await sendOn(compacted.body), withBlock(block, usage));
  const { model, isStreamed } = wireNamed('anthropic').factsOf(given, request.url);
  const message = compactionMessage(`msg_${randomUUID()}`, model, block, usage);
  return messageReply(message, messageEvents(message), isStreamed);
}

function usageOf({ usages }: CompactedConversation): Body {
  const { input, cached, cacheWrite, output } = spendingOf(usages);
  return {
    input_tokens: input - cached - cacheWrite,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWrite,
  };
}
