import type { ToolSchema } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { Codec } from '../codec.ts';
import { forcesCall, isJsonFormat, sharedRequests, textObstacle } from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { chatAnswers } from './answer.ts';
import { openaiChat } from './codec.ts';

/** OpenAI chat completions, and the many servers that speak them. */
export const chatWire: Wire<ToolSchema> = {
  ...sharedRequests('messages', ['max_tokens', 'max_completion_tokens']),
  name: 'openai-chat',
  codec: openaiChat as unknown as Codec<Body>,
  isAddress: ({ pathname }) => /\/chat\/completions\/?$/.test(pathname),
  declareTool: (schema) => ({ ...schema }),
  obstaclesIn(body) {
    const { n, functions, function_call: forced, response_format: format, tool_choice: choice } = body;
    const several = typeof n === 'number' && n > 1 ? 'The request asks for several answers (n).' : null;
    const tools = several ?? (functions === undefined ? null : 'The request uses "functions" instead of "tools".');
    const call = forcesCall(choice) || isRecord(forced);
    const serverTools = body.web_search_options !== undefined;
    return { tools, text: several ?? textObstacle({ call, json: isJsonFormat(format), serverTools }) };
  },
  answers: chatAnswers,
};
