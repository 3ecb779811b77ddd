import type { Codec } from '../codec.ts';
import type { GeminiConversation } from './conversation.ts';
import { decodeGemini } from './decode.ts';
import { encodeGemini, writeGemini } from './encode.ts';
import { validateGemini } from './validate.ts';

/** Codec for the Gemini API: parts with signatures, results of calls in user contents, a top-level system prompt. */
export const gemini: Codec<GeminiConversation> = {
  name: 'gemini',
  dialect: 'anthropic',
  decode: decodeGemini,
  encode: encodeGemini,
  validate: validateGemini,
  fromMessages: writeGemini,
};
