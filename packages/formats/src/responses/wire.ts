import type { Codec } from '../codec.ts';
import { fieldsIn } from '../record.ts';
import {
  commonRequests,
  forcesCall,
  hasServerTools,
  hasStops,
  isJsonFormat,
  textObstacle,
  toolsObstacle,
} from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { responsesAnswers } from './answer.ts';
import { openaiResponses } from './codec.ts';
import { historyFieldOf } from './decode.ts';

/** A tool as OpenAI's Responses API takes it. */
export interface ResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly parameters: Record<string, unknown>;
  /** False: the schemas have optional arguments. */
  readonly strict: false;
}

/** Types of tools that OpenAI runs. */
const serverTools = /^(?:web_search|file_search|code_interpreter|image_generation|mcp|x_search)/;

const shared = commonRequests('input', ['max_output_tokens']);

/** OpenAI Responses, also on Azure. */
export const responsesWire: Wire<ResponsesTool> = {
  ...shared,
  name: 'openai-responses',
  codec: openaiResponses as unknown as Codec<Body>,
  isAddress: ({ pathname }) => /\/responses\/?$/.test(pathname),
  itemsOf: ({ input }) =>
    typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : shared.itemsOf({ input }),
  factsOf: (body, url) => ({ ...shared.factsOf(body, url), continues: historyFieldOf(body) }),
  userMessage: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  declareTool({ function: { name, description, parameters } }) {
    const own = { type: 'function', name, parameters: { type: 'object', ...parameters }, strict: false } as const;
    return description === undefined ? own : { ...own, description };
  },
  obstaclesIn(body) {
    const { background, text: output, tool_choice: choice, tools: given } = body;
    const later = background === true ? 'The response is made in the background.' : null;
    const json = isJsonFormat(fieldsIn(output).format);
    const runsTools = hasServerTools(given, serverTools);
    const text =
      later ?? textObstacle({ call: forcesCall(choice), json, serverTools: runsTools, stop: hasStops(body) });
    return { tools: later ?? toolsObstacle(choice, json), text };
  },
  answers: responsesAnswers,
};
