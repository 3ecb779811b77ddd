import type { Codec } from '../codec.ts';
import type { ResponsesConversation } from './conversation.ts';
import { decodeResponses } from './decode.ts';
import { encodeResponses, writeResponses } from './encode.ts';
import { validateResponses } from './validate.ts';

/** Codec for OpenAI's Responses API: a flat list of messages, reasoning, calls, outputs and items only OpenAI can read. */
export const openaiResponses: Codec<ResponsesConversation> = {
  name: 'openaiResponses',
  dialect: 'openai',
  decode: decodeResponses,
  encode: encodeResponses,
  validate: validateResponses,
  fromMessages: writeResponses,
};
