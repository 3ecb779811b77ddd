import { PalimpsestError } from '@palimpsest/core';
import type { Body, CompactEdit } from '@palimpsest/formats/wire';
import { readConversation } from '../../conversations/read-conversation.ts';
import { withoutManagement } from './anthropic-answers.ts';
import type { ClientRequest } from './client-request.ts';
import {
  type CompactedConversation,
  type CompactingParts,
  compactConversation,
  promptTokens,
} from './compact-conversation.ts';

/**
 * Compacts the conversation of a request if it is as large as the client says. The conversation continues with the result.
 * @param url where answers are asked for
 * @param body the request, with earlier compactions put in
 * @returns `null` if it is smaller, or there is nothing to compact
 */
export async function compactForClient(
  { headers, signal, find }: ClientRequest,
  { url, body }: { readonly url: URL; readonly body: Body },
  { trigger, instructions }: CompactEdit,
  parts: CompactingParts,
): Promise<CompactedConversation | null> {
  const found = readConversation(url, Buffer.from(JSON.stringify(body)));
  if (!found) return null;
  const { wire } = found;
  try {
    const size = promptTokens({ wire, url, body }, parts.tokens);
    if (size < trigger) return null;
    const conversation = await find(found);
    const handoffKey = await conversation.handoffKey();
    const { headers: sent } = withoutManagement(body, headers);
    const request = { wire, url, body, size, signal, instructions, headers: sent, handoffKey };
    const compacted = await compactConversation(request, parts);
    if (compacted) await conversation.noteServed(wire.itemsOf(compacted.body) ?? [], compacted);
    return compacted;
  } catch (error) {
    if (signal.aborted) throw error;
    // The conversation is sent on as it is.
    parts.onProblem(`A compaction that the client asked for failed: ${reasonOf(error)}`);
    return null;
  }
}

/** Why a compaction failed: only our own errors contain nothing of the conversation. */
function reasonOf(error: unknown): string {
  if (error instanceof PalimpsestError) return error.message;
  return error instanceof Error ? error.name : 'an unknown error';
}
