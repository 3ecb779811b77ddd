import { validateTranscript } from '@palimpsest/core';
import type { Codec, NativeViolation } from '../codec.ts';
import type { PiConversation } from './conversation.ts';
import { decodePi } from './decode.ts';
import { encodePi } from './encode.ts';
import { writePi } from './write.ts';

/** Codec for the messages of pi and of agents built on its packages, which pi translates for every provider. */
export const pi: Codec<PiConversation> = {
  name: 'pi',
  dialect: 'openai',
  decode: decodePi,
  encode: encodePi,
  validate: validatePi,
  fromMessages: writePi,
};

/** Lists what providers would reject, with the rules of core. */
function validatePi(native: PiConversation): readonly NativeViolation[] {
  const { messages, origins } = decodePi(native);
  if (native.messages.length === 0)
    return [{ index: -1, rule: 'no-messages', reason: 'a request needs at least one message' }];
  return validateTranscript(messages).map(({ index, rule, reason }) => ({
    index: origins[index]!.pieces[0]!.index,
    rule,
    reason,
  }));
}
