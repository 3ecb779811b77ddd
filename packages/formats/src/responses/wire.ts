import type { Codec } from '../codec.ts';
import { recordsIn } from '../record.ts';
import { sharedFacts, withSharedCap } from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { openaiResponses } from './codec.ts';
import { continuedBy } from './decode.ts';

/** A tool as OpenAI's Responses API takes it. */
export interface ResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly parameters: Record<string, unknown>;
  /** False: the schemas have optional arguments. */
  readonly strict: false;
}

const caps = ['max_output_tokens'];

/** OpenAI Responses, also on Azure. */
export const responsesWire: Wire<ResponsesTool> = {
  name: 'openai-responses',
  codec: openaiResponses as unknown as Codec<Body>,
  list: 'input',
  isAddress: ({ pathname }) => /\/responses\/?$/.test(pathname),
  itemsOf({ input }) {
    if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
    return Array.isArray(input) ? recordsIn(input) : null;
  },
  factsOf: (body) => ({ ...sharedFacts(body, caps), continues: continuedBy(body) }),
  withCap: (body, cap) => withSharedCap(body, caps, cap),
  wholeHistoryError: () => null,
  userMessage: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  declareTool({ function: { name, description, parameters } }) {
    const own = { type: 'function', name, parameters: { type: 'object', ...parameters }, strict: false } as const;
    return description === undefined ? own : { ...own, description };
  },
};
