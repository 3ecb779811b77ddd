import { type Message, validateTranscript } from '@palimpsest/core';
import type { Codec, Decoded, NativeOrigin, NativeViolation } from '../codec.ts';
import { checkList, type Place } from '../native-error.ts';
import type { ShareGptConversation } from './conversation.ts';
import { encodeShareGpt, writeShareGpt } from './encode.ts';
import { partsOf } from './row.ts';

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

function decodeShareGpt<Native extends ShareGptConversation>(native: Native): Decoded<Native> {
  const place: Place = { format: 'shareGpt', index: -1 };
  checkList(native as unknown, place, 'conversations');
  const messages: Message[] = [];
  const origins: NativeOrigin[] = [];
  let start = 0;
  for (const { turns, units } of partsOf(native.conversations)) {
    for (const { message, pieces } of units) {
      messages.push(message);
      origins.push({ pieces: pieces.map((piece) => ({ ...piece, index: piece.index + start })) });
    }
    start += turns.length;
  }
  return { native, messages, origins };
}
