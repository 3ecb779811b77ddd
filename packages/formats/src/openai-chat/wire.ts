import type { ToolSchema } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { Codec } from '../codec.ts';
import { recordsIn } from '../record.ts';
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
import { chatAnswers } from './answer.ts';
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
  withTools,
  withoutCalls: (body) => ({ ...body, tool_choice: 'none' }),
  obstaclesIn(body) {
    const { n, functions, function_call: forced, response_format: format, tool_choice: choice } = body;
    const tools = firstObstacle(
      [typeof n === 'number' && n > 1, 'The request asks for several answers (n).'],
      [functions !== undefined, 'The request uses "functions" instead of "tools".'],
    );
    const text = firstObstacle(
      [forcesCall(choice) || isRecord(forced), obstacles.call],
      [isJsonFormat(format), obstacles.json],
      [body.web_search_options !== undefined, obstacles.serverTools],
    );
    return { tools, text: tools ?? text };
  },
  answers: chatAnswers,
};
