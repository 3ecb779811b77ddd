import { isRecord } from '@palimpsest/core/authoring';
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
import { anthropicAnswers } from './answer.ts';
import { anthropic } from './codec.ts';

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { type: 'object'; [field: string]: unknown };
}

const caps = ['max_tokens'];

/** Types of tools that Anthropic runs. */
const serverTools = /^(?:web_search|web_fetch|code_execution|tool_search|mcp)/;

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
  withTools,
  withoutCalls: (body) => ({ ...body, tool_choice: { type: 'none' } }),
  obstaclesIn({ mcp_servers: servers, output_config: output, output_format: format, tool_choice: choice, tools }) {
    const runsTools = servers !== undefined || recordsIn(tools).some(({ type }) => serverTools.test(String(type)));
    const text = firstObstacle(
      [forcesCall(choice), obstacles.call],
      [isJsonFormat(format) || isJsonFormat(fieldsIn(output).format), obstacles.json],
      [runsTools, obstacles.serverTools],
    );
    return { tools: null, text };
  },
  answers: anthropicAnswers,
};
