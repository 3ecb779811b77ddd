import type { Codec } from '../codec.ts';
import { coreViolations } from '../core-violations.ts';
import type { OllamaConversation } from './conversation.ts';
import { decodeOllama } from './decode.ts';
import { encodeOllama, writeOllama } from './encode.ts';

/** Codec for Ollama's own API: pictures beside the text, calls with objects and often without ids. */
export const ollama: Codec<OllamaConversation> = {
  name: 'ollama',
  dialect: 'openai',
  decode: decodeOllama,
  encode: encodeOllama,
  validate: (native) => coreViolations(decodeOllama(native)),
  fromMessages: writeOllama,
};
