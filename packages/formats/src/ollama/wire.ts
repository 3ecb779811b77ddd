import type { ToolSchema } from '@palimpsest/core';
import type { Codec } from '../codec.ts';
import { fieldsIn, recordsIn } from '../record.ts';
import { commonRequests, hasStops, textObstacle, toolsObstacle } from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { ollamaAnswers } from './answer.ts';
import { ollama } from './codec.ts';

const common = commonRequests('messages', []);

/** Fields that belong to a conversation and its tools, or ask for something other than text. */
const ofConversation: ReadonlySet<string> = new Set(['messages', 'tools', 'format', 'logprobs', 'top_logprobs']);

/** Ollama's own API. Other servers have the same path, so a body has to name a model, too. */
export const ollamaWire: Wire<ToolSchema> = {
  ...common,
  name: 'ollama',
  codec: ollama as unknown as Codec<Body>,
  isAddress: ({ pathname }) => /\/api\/chat\/?$/.test(pathname),
  // Without messages, a request loads or unloads the model.
  itemsOf: ({ messages, model }) =>
    typeof model === 'string' && Array.isArray(messages) && messages.length > 0 ? recordsIn(messages) : null,
  factsOf(body, url) {
    const { num_ctx: window, num_predict: cap } = fieldsIn(body.options);
    return {
      ...common.factsOf(body, url),
      // -1 and -2 stand for no limit, and for the rest of the window.
      maxTokens: positiveNumber(cap),
      window: positiveNumber(window),
      isStreamed: body.stream !== false,
      identity: [],
    };
  },
  withCap: (body, cap) => ({ ...body, options: { ...fieldsIn(body.options), num_predict: cap } }),
  question(body, text) {
    const rest = Object.entries(body).filter(([name]) => !ofConversation.has(name));
    const { stop: _, ...options } = fieldsIn(body.options);
    return {
      ...Object.fromEntries(rest),
      ...(body.options === undefined ? {} : { options }),
      messages: [common.userMessage(text)],
    };
  },
  declareTool: (schema) => ({ ...schema }),
  // There is no choice that forbids calls. Calls in the history need no declarations.
  withoutCalls: ({ tools: _, ...body }) => body,
  obstaclesIn(body) {
    const json = body.format !== undefined && body.format !== null && body.format !== '';
    const stop = hasStops(fieldsIn(body.options));
    return {
      tools: toolsObstacle('auto', json),
      text: textObstacle({ call: false, json, serverTools: false, stop }),
    };
  },
  answers: ollamaAnswers,
};

function positiveNumber(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}
