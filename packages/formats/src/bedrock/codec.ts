import type { Codec } from '../codec.ts';
import type { BedrockConversation } from './conversation.ts';
import { decodeBedrock } from './decode.ts';
import { encodeBedrock, writeBedrock } from './encode.ts';
import { validateBedrock } from './validate.ts';

/** Codec for Bedrock's `Converse`: content blocks, tool results in user messages, cache points between blocks. */
export const bedrock: Codec<BedrockConversation> = {
  name: 'bedrock',
  dialect: 'anthropic',
  decode: decodeBedrock,
  encode: encodeBedrock,
  validate: validateBedrock,
  fromMessages: writeBedrock,
};
