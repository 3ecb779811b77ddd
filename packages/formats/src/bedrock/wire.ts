import { type AnthropicTool, anthropicWire } from '../anthropic/wire.ts';
import type { Codec } from '../codec.ts';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { pathPart } from '../wire/path-part.ts';
import { capThinking, isJsonFormat, minTokensIn, textObstacle, toolsObstacle } from '../wire/request-fields.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { bedrockAnswers } from './answer.ts';
import { bedrock } from './codec.ts';
import { framingFor, invokeFraming } from './framing.ts';

/** A tool as `Converse` takes it. */
export interface BedrockTool {
  readonly toolSpec: {
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: { readonly json: Record<string, unknown> };
  };
}

const converseMethod = /\/model\/([^?]+)\/converse(-stream)?\/?$/;

/** Fields that belong to a conversation and its tools, or ask for something other than text. */
const ofConversation: ReadonlySet<string> = new Set(['messages', 'outputConfig', 'promptVariables', 'toolConfig']);

/** `Converse` and `ConverseStream` of Bedrock. The address names the model. */
export const bedrockWire: Wire<BedrockTool> = {
  name: 'bedrock',
  codec: bedrock as unknown as Codec<Body>,
  list: 'messages',
  isAddress: ({ pathname }) => converseMethod.test(pathname),
  itemsOf: ({ messages }) => (Array.isArray(messages) ? recordsIn(messages) : null),
  factsOf(body, { pathname }) {
    const [, model, streamed] = converseMethod.exec(pathname) ?? [];
    const { maxTokens } = fieldsIn(body.inferenceConfig);
    return {
      model: model === undefined ? undefined : pathPart(model),
      tools: toolsIn(body).map((tool) => tool.toolSpec ?? tool),
      maxTokens: typeof maxTokens === 'number' ? maxTokens : undefined,
      minTokens: minTokensIn(fieldsIn(body.additionalModelRequestFields)),
      isStreamed: streamed !== undefined,
      continues: undefined,
      identity: [],
    };
  },
  withCap(body, cap) {
    const capped = { ...body, inferenceConfig: { ...fieldsIn(body.inferenceConfig), maxTokens: cap } };
    const more = fieldsIn(body.additionalModelRequestFields);
    return minTokensIn(more) === undefined
      ? capped
      : { ...capped, additionalModelRequestFields: capThinking(more, cap) };
  },
  wholeHistoryError: () => null,
  userMessage,
  question(body, text) {
    const rest = Object.entries(body).filter(([name]) => !ofConversation.has(name));
    const { stopSequences: _, ...config } = fieldsIn(body.inferenceConfig);
    const { tools: _tools, tool_choice: _choice, ...more } = fieldsIn(body.additionalModelRequestFields);
    return {
      ...Object.fromEntries(rest),
      ...(body.additionalModelRequestFields === undefined ? {} : { additionalModelRequestFields: more }),
      ...(body.inferenceConfig === undefined ? {} : { inferenceConfig: config }),
      messages: [userMessage(text)],
    };
  },
  declareTool: ({ function: { name, description, parameters } }) => ({
    toolSpec: {
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: { json: { type: 'object', ...parameters } },
    },
  }),
  withTools: (body, tools) => ({
    ...body,
    toolConfig: { ...fieldsIn(body.toolConfig), tools: [...tools, ...toolsIn(body)] },
  }),
  // There is no choice that forbids calls, and calls in the history need the declarations.
  withoutCalls(body) {
    const { toolChoice: _, ...config } = fieldsIn(body.toolConfig);
    return { ...body, toolConfig: config };
  },
  obstaclesIn(body) {
    const choice = choiceIn(body);
    const json = isJsonFormat(fieldsIn(body.outputConfig).textFormat);
    const { stopSequences } = fieldsIn(body.inferenceConfig);
    const stop = Array.isArray(stopSequences) && stopSequences.length > 0;
    const serverTools = toolsIn(body).some(({ systemTool }) => systemTool !== undefined);
    return {
      tools: toolsObstacle(choice === 'tool' ? { type: 'tool' } : 'auto', json),
      text: textObstacle({ call: choice === 'any' || choice === 'tool', json, serverTools, stop }),
    };
  },
  answers: bedrockAnswers,
};

function userMessage(text: string): Fields {
  return { role: 'user', content: [{ text }] };
}

/** How the model has to choose a tool: `auto`, `any` or `tool`. The AI SDK writes it for Claude's own tools as Anthropic does. */
function choiceIn(body: Body): unknown {
  const [choice] = Object.keys(fieldsIn(fieldsIn(body.toolConfig).toolChoice));
  return choice ?? fieldsIn(fieldsIn(body.additionalModelRequestFields).tool_choice).type;
}

function toolsIn(body: Body): readonly Fields[] {
  return recordsIn(fieldsIn(body.toolConfig).tools);
}

const invokeMethod = /\/model\/([^?]+)\/invoke(-with-response-stream)?\/?$/;

/** `InvokeModel` of Bedrock and its stream, with the bodies of Anthropic Messages. The address names the model. */
export const bedrockInvokeWire: Wire<AnthropicTool> = {
  ...anthropicWire,
  name: 'bedrock-invoke',
  isAddress: ({ pathname }) => invokeMethod.test(pathname),
  // Other models have other bodies.
  itemsOf: (body) => (typeof body.anthropic_version === 'string' ? anthropicWire.itemsOf(body) : null),
  factsOf(body, url) {
    const [, model, streamed] = invokeMethod.exec(url.pathname) ?? [];
    const facts = anthropicWire.factsOf(body, url);
    if (model === undefined) return facts;
    return { ...facts, model: pathPart(model), isStreamed: streamed !== undefined };
  },
  wholeHistoryError: () => null,
  answers: { ...anthropicWire.answers, framingOf: framingFor(invokeFraming) },
};
