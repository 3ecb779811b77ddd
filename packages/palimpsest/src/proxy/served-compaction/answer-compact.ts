import { randomUUID } from 'node:crypto';
import {
  type Body,
  type CompactEdit,
  compactionOutput,
  restoreItem,
  type Wire,
  wireNamed,
} from '@palimpsest/formats/wire';
import type { ClientRequest } from './client-request.ts';
import type { CompactingParts } from './compact-conversation.ts';
import { compactForClient } from './compact-for-client.ts';
import { openaiError } from './error-replies.ts';
import { spendingOf } from './spending.ts';

const compactNow: CompactEdit = { trigger: 0, isAlone: true, instructions: null };

/**
 * Answers `POST /responses/compact`.
 * @param given its body; `null` if it is not a JSON object
 * @param url where answers of the same API are asked for
 */
export async function answerCompact(
  request: ClientRequest,
  given: Body | null,
  url: URL,
  parts: CompactingParts,
): Promise<Response> {
  if (typeof given?.model !== 'string') return openaiError('model', 'The body has to be a JSON object with a model.');
  if (given.previous_response_id)
    return openaiError('previous_response_id', 'Stored conversations cannot be read here. Send the whole input.');
  const wire: Wire = wireNamed('openai-responses');
  const body = restoreItem(given) ?? given;
  const before = wire.itemsOf(body);
  if (!before || before.length === 0) return openaiError('input', 'The input has to be a text or a list of items.');
  // Nothing of such a request is stored, and some servers only answer with streams.
  const asking = { ...body, input: before, store: false, stream: true };
  const compacted = await compactForClient(request, { url, body: asking }, compactNow, parts);
  const after = compacted ? (compacted.body.input as Body[]) : before;
  const { input, cached, cacheWrite, output } = spendingOf(compacted?.usages ?? []);
  return Response.json({
    id: `resp_${randomUUID()}`,
    object: 'response.compaction',
    created_at: Math.floor(Date.now() / 1_000),
    output: compactionOutput(`cmp_${randomUUID()}`, before, after),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  });
}
