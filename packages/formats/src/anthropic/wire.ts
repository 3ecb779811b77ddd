import { isRecord } from '@palimpsest/core/authoring';
import type { Codec } from '../codec.ts';
import { fieldsIn } from '../record.ts';
import { pathPart } from '../wire/path-part.ts';
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
import { anthropicAnswers } from './answer.ts';
import { anthropic } from './codec.ts';

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { type: 'object'; [field: string]: unknown };
}

/** Types of tools that Anthropic runs. */
const serverTools = /^(?:web_search|web_fetch|code_execution|tool_search|mcp)/;

/** The method of a request on Vertex, behind the model's name. */
const vertexMethod = /\/([^/:]+):(rawPredict|streamRawPredict)$/;

const shared = commonRequests('messages', ['max_tokens']);

/** Anthropic Messages, also on Vertex, where the address names the model. */
export const anthropicWire: Wire<AnthropicTool> = {
  ...shared,
  name: 'anthropic',
  codec: anthropic as unknown as Codec<Body>,
  isAddress({ pathname }) {
    const [, model] = vertexMethod.exec(pathname) ?? [];
    return model === undefined ? /\/messages\/?$/.test(pathname) : model !== 'count-tokens';
  },
  factsOf(body, url) {
    const facts = shared.factsOf(body, url);
    const [, model, method] = vertexMethod.exec(url.pathname) ?? [];
    if (model === undefined) return facts;
    return { ...facts, model: pathPart(model), isStreamed: method === 'streamRawPredict' };
  },
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
  declareTool({ function: { name, description, parameters } }) {
    const own = { name, input_schema: { ...parameters, type: 'object' } } as const;
    return description === undefined ? own : { ...own, description };
  },
  withoutCalls: (body) => ({ ...body, tool_choice: { type: 'none' } }),
  obstaclesIn(body) {
    const { mcp_servers: servers, output_config: output, output_format: format, tool_choice: choice, tools } = body;
    const json = isJsonFormat(format) || isJsonFormat(fieldsIn(output).format);
    const runsTools = servers !== undefined || hasServerTools(tools, serverTools);
    return {
      tools: toolsObstacle(choice, json),
      text: textObstacle({ call: forcesCall(choice), json, serverTools: runsTools, stop: hasStops(body) }),
    };
  },
  answers: anthropicAnswers,
};
