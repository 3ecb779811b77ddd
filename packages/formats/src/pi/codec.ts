import type { Codec } from '../codec.ts';
import { coreViolations } from '../core-violations.ts';
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
  validate: (native) => coreViolations(decodePi(native)),
  fromMessages: writePi,
};
