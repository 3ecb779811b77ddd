import { validateTranscript } from '@palimpsest/core';
import type { NativeViolation } from '../codec.ts';
import type { AiSdkConversation } from './conversation.ts';
import { decodeAiSdk } from './decode.ts';

/** What the AI SDK, or the providers behind it, refuse; rules are core's. */
export function validateAiSdk(native: AiSdkConversation): readonly NativeViolation[] {
  const { messages, origins } = decodeAiSdk(native);
  if (native.messages.length === 0) return [{ index: -1, rule: 'no-messages', reason: 'a request needs a message' }];
  return validateTranscript(messages).map(({ index, rule, reason }) => ({
    index: origins[index]!.pieces[0]!.index,
    rule,
    reason,
  }));
}
