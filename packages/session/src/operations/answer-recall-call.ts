import type { ToolCallContext } from '@palimpsest/core';
import { errorReason } from '../events/error-reason.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { repeatedInput } from '../request/repeated-input.ts';

/** The answer before the first request: nothing is known about what the model sees. */
const unknownConversation =
  'The conversation cannot be searched now. Do not try it again in this step. Run the command or read the file that shows it again.';

/**
 * Answers a call of `recall` or `expand` over what the newest projection of the conversation hides.
 * @throws what the caller's signal was aborted with
 */
export async function answerRecallCall(
  parts: SessionParts,
  name: string,
  input: unknown,
  { messages, signal }: Partial<ToolCallContext>,
): Promise<string> {
  const { recall, viewer } = parts;
  const { requests } = parts.conversation;
  signal?.throwIfAborted();
  if (!messages && !requests.lastInput) return unknownConversation;
  try {
    const request = repeatedInput(parts, messages ?? requests.lastSource);
    return await recall.answer(name, input, request.intake.source, viewer.view(request).assembled);
  } catch (error) {
    return `${name} failed: ${errorReason(error)}. Do not call it again for this.`;
  }
}
