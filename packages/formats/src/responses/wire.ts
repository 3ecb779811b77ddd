import type { Codec } from '../codec.ts';
import { fieldsIn, recordsIn } from '../record.ts';
import {
  firstObstacle,
  forcesCall,
  isJsonFormat,
  obstacles,
  sharedFacts,
  withSharedCap,
  withTools,
} from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { responsesAnswers } from './answer.ts';
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

/** Types of tools that OpenAI runs. */
const serverTools = /^(?:web_search|file_search|code_interpreter|image_generation|mcp|x_search)/;

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
  withTools,
  withoutCalls: (body) => ({ ...body, tool_choice: 'none' }),
  obstaclesIn({ background, text: output, tool_choice: choice, tools: given }) {
    const tools = background === true ? 'The response is made in the background.' : null;
    const text = firstObstacle(
      [forcesCall(choice), obstacles.call],
      [isJsonFormat(fieldsIn(output).format), obstacles.json],
      [recordsIn(given).some(({ type }) => serverTools.test(String(type))), obstacles.serverTools],
    );
    return { tools, text: tools ?? text };
  },
  answers: responsesAnswers,
};
