import { validateTranscript } from '@palimpsest/core';
import type { Codec, NativeViolation } from '../codec.ts';
import type { ShareGptConversation } from './conversation.ts';
import { decodeShareGpt } from './decode.ts';
import { encodeShareGpt, writeShareGpt } from './encode.ts';

/** ShareGPT rows, as fine-tuning sets have them: with Hermes tags, or with turns of their own for calls. */
export const shareGpt: Codec<ShareGptConversation> = {
  name: 'shareGpt',
  dialect: 'strict',
  decode: decodeShareGpt,
  encode: encodeShareGpt,
  validate: validateShareGpt,
  fromMessages: writeShareGpt,
};

/** What a chat template raises on; rules are core's. */
function validateShareGpt(native: ShareGptConversation): readonly NativeViolation[] {
  const { messages, origins } = decodeShareGpt(native);
  if (messages.length === 0) return [{ index: -1, rule: 'no-messages', reason: 'a row needs a turn' }];
  return validateTranscript(messages, { dialect: 'strict' }).map(({ index, rule, reason }) => ({
    index: origins[index]!.pieces[0]!.index,
    rule,
    reason,
  }));
}
