import { validateTranscript } from '@palimpsest/core';
import type { NativeViolation } from '../codec.ts';
import type { AiSdkConversation } from './conversation.ts';
import { decodeAiSdk } from './decode.ts';

/** Lists what the AI SDK or its providers would reject, with the rules of core. */
export function validateAiSdk(native: AiSdkConversation): readonly NativeViolation[] {
  const { messages, origins } = decodeAiSdk(native);
  if (native.messages.length === 0)
    return [{ index: -1, rule: 'no-messages', reason: 'a request needs at least one message' }];
  return validateTranscript(messages).map(({ index, rule, reason }) => ({
    index: origins[index]!.pieces[0]!.index,
    rule,
    reason,
  }));
}
