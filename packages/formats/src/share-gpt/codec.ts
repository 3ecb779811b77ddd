import { validateTranscript } from '@palimpsest/core';
import type { Codec, NativeViolation } from '../codec.ts';
import type { ShareGptConversation } from './conversation.ts';
import { decodeShareGpt } from './decode.ts';
import { encodeShareGpt, writeShareGpt } from './encode.ts';

/** Codec for rows of ShareGPT data sets, with calls in Hermes tags or in separate turns. */
export const shareGpt: Codec<ShareGptConversation> = {
  name: 'shareGpt',
  dialect: 'strict',
  decode: decodeShareGpt,
  encode: encodeShareGpt,
  validate: validateShareGpt,
  fromMessages: writeShareGpt,
};

/** Lists what a chat template would reject, with the rules of core. */
function validateShareGpt(native: ShareGptConversation): readonly NativeViolation[] {
  const { messages, origins } = decodeShareGpt(native);
  if (messages.length === 0) return [{ index: -1, rule: 'no-messages', reason: 'a row needs at least one turn' }];
  return validateTranscript(messages, { dialect: 'strict' }).map(({ index, rule, reason }) => ({
    index: origins[index]!.pieces[0]!.index,
    rule,
    reason,
  }));
}
