import type { ToolSchema } from '@palimpsest/core';
import type { Codec } from '../codec.ts';
import { recordsIn } from '../record.ts';
import { sharedFacts, withSharedCap } from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { openaiChat } from './codec.ts';

const caps = ['max_tokens', 'max_completion_tokens'];

/** OpenAI chat completions, and the many servers that speak them. */
export const chatWire: Wire<ToolSchema> = {
  name: 'openai-chat',
  codec: openaiChat as unknown as Codec<Body>,
  list: 'messages',
  isAddress: ({ pathname }) => /\/chat\/completions\/?$/.test(pathname),
  itemsOf: ({ messages }) => (Array.isArray(messages) ? recordsIn(messages) : null),
  factsOf: (body) => sharedFacts(body, caps),
  withCap: (body, cap) => withSharedCap(body, caps, cap),
  wholeHistoryError: () => null,
  userMessage: (content) => ({ role: 'user', content }),
  declareTool: (schema) => ({ ...schema }),
};
