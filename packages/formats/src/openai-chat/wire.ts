import type { ToolSchema } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { Codec } from '../codec.ts';
import {
  commonRequests,
  forcesCall,
  hasStops,
  isJsonFormat,
  textObstacle,
  toolsObstacle,
} from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { chatAnswers } from './answer.ts';
import { openaiChat } from './codec.ts';

/** OpenAI chat completions, and the many servers that speak them. */
export const chatWire: Wire<ToolSchema> = {
  ...commonRequests('messages', ['max_tokens', 'max_completion_tokens']),
  name: 'openai-chat',
  codec: openaiChat as unknown as Codec<Body>,
  isAddress: ({ pathname }) => /\/chat\/completions\/?$/.test(pathname),
  declareTool: (schema) => ({ ...schema }),
  obstaclesIn(body) {
    const { n, functions, function_call: forced, response_format: format, tool_choice: choice } = body;
    const several = typeof n === 'number' && n > 1 ? 'The request asks for several answers (n).' : null;
    const old = functions === undefined ? null : 'The request uses "functions" instead of "tools".';
    const json = isJsonFormat(format);
    const call = forcesCall(choice) || isRecord(forced);
    const serverTools = body.web_search_options !== undefined;
    const text = several ?? textObstacle({ call, json, serverTools, stop: hasStops(body) });
    return { tools: several ?? old ?? toolsObstacle(choice, json), text };
  },
  answers: chatAnswers,
};
