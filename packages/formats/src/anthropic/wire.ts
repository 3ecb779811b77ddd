import { isRecord } from '@palimpsest/core/authoring';
import type { Codec } from '../codec.ts';
import { recordsIn } from '../record.ts';
import { sharedFacts, withSharedCap } from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { anthropic } from './codec.ts';

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { type: 'object'; [field: string]: unknown };
}

const caps = ['max_tokens'];

/** Anthropic Messages, also on Vertex. */
export const anthropicWire: Wire<AnthropicTool> = {
  name: 'anthropic',
  codec: anthropic as unknown as Codec<Body>,
  list: 'messages',
  isAddress: ({ pathname }) => /\/messages\/?$|:(?:stream)?[rR]awPredict$/.test(pathname),
  itemsOf: ({ messages }) => (Array.isArray(messages) ? recordsIn(messages) : null),
  factsOf: (body) => sharedFacts(body, caps),
  withCap: (body, cap) => withSharedCap(body, caps, cap),
  // Such a request contains only the newest messages. The SDK sends all messages when their thread is lost.
  wholeHistoryError({ thread }) {
    if (!isRecord(thread) || thread.type !== 'continue') return null;
    const error = {
      type: 'not_found_error',
      message: 'A session needs the whole conversation. Send all messages, without a thread to continue.',
      details: { error_code: 'thread_not_found' },
    };
    return { status: 404, body: { type: 'error', error } };
  },
  userMessage: (content) => ({ role: 'user', content }),
  declareTool({ function: { name, description, parameters } }) {
    const own = { name, input_schema: { ...parameters, type: 'object' } } as const;
    return description === undefined ? own : { ...own, description };
  },
};
