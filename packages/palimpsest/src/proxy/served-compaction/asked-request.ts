import { PalimpsestError } from '@palimpsest/core';
import type { Body, CompactEdit } from '@palimpsest/formats/wire';
import type { Conversation } from '../../conversations/conversation.ts';
import { type ConversationRequest, readConversation } from '../../conversations/read-conversation.ts';
import { withoutManagement } from './anthropic-answers.ts';
import {
  type CompactedRequest,
  type CompactingParts,
  compactConversation,
  promptTokens,
} from './compact-conversation.ts';

/** A request that may ask for the provider's own compaction, or contain one. */
export interface AskedRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  /** Finds its conversation. */
  readonly find: (found: ConversationRequest) => Conversation;
  /** Sends it on, unchanged or with another body. */
  readonly sendOn: (bytes: Buffer) => Promise<Response>;
}

/**
 * Compacts the conversation of a request if it is as large as the client says. The conversation continues with the result.
 * @param url where answers are asked for
 * @param body the request, with earlier compactions put in
 * @returns `null` if it is smaller, or there is nothing to compact
 */
export async function compactAsked(
  { headers, signal, find }: AskedRequest,
  { url, body }: { readonly url: URL; readonly body: Body },
  { trigger, instructions }: CompactEdit,
  parts: CompactingParts,
): Promise<CompactedRequest | null> {
  const found = readConversation(url, Buffer.from(JSON.stringify(body)));
  if (!found) return null;
  const { wire } = found;
  try {
    if (promptTokens({ wire, url, body }, parts.tokens) < trigger) return null;
    const conversation = find(found);
    const handoffKey = await conversation.handoffKey();
    const { headers: sent } = withoutManagement(body, headers);
    const request = { wire, url, body, signal, instructions, headers: sent, handoffKey };
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
