import type { Codec } from '../codec.ts';
import { coreViolations } from '../core-violations.ts';
import type { AiSdkConversation } from './conversation.ts';
import { decodeAiSdk } from './decode.ts';
import { encodeAiSdk, writeAiSdk } from './encode.ts';

/** Codec for the AI SDK's `ModelMessage[]`, which the SDK translates for every provider. */
export const aiSdk: Codec<AiSdkConversation> = {
  name: 'aiSdk',
  dialect: 'openai',
  decode: decodeAiSdk,
  encode: encodeAiSdk,
  validate: (native) => coreViolations(decodeAiSdk(native)),
  fromMessages: writeAiSdk,
};
