import type { Codec } from '../codec.ts';
import type { AnthropicConversation } from './conversation.ts';
import { decodeAnthropic } from './decode.ts';
import { encodeAnthropic, writeAnthropic } from './encode.ts';
import { validateAnthropic } from './validate.ts';

/** Codec for Anthropic's Messages API: content blocks, tool results in user messages, a top-level system prompt. */
export const anthropic: Codec<AnthropicConversation> = {
  name: 'anthropic',
  dialect: 'anthropic',
  decode: decodeAnthropic,
  encode: encodeAnthropic,
  validate: validateAnthropic,
  fromMessages: writeAnthropic,
};
