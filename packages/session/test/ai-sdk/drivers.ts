import { createOpenAI } from '@ai-sdk/openai';
import {
  generateText,
  jsonSchema,
  type ModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from 'ai';
import type {
  AdapterDriver,
  AgentAnswer,
  AgentOptions,
  RunningAgent,
  UserRequest,
} from '../../../../test/adapter-suite/index.ts';
import { type ContextMiddleware, contextMiddleware, contextStep, contextTools } from '../../src/ai-sdk.ts';
import { allResponseMessages } from '../agent/response-messages.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;

/** `contextStep` in `generateText` and `streamText`. */
export const contextStepDriver: AdapterDriver = {
  name: 'AI SDK 5, 6 and 7, `contextStep`',
  rounds: 75,
  start: async (options) => new AiSdkAgent(options, await toolsOf(options), 'contextStep'),
};

/** `contextMiddleware` around the model. */
export const contextMiddlewareDriver: AdapterDriver = {
  name: 'AI SDK 5, 6 and 7, `contextMiddleware`',
  start: async (options) => new AiSdkAgent(options, await toolsOf(options), 'contextMiddleware'),
};

async function toolsOf({ tools, recall, session }: AgentOptions): Promise<ToolSet> {
  const own = tools.map(({ name, description, parameters, run }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema<Record<string, unknown>>(parameters),
      execute: (input: Record<string, unknown>) => run(input),
    }),
  ]);
  return { ...Object.fromEntries(own), ...(recall ? await contextTools(session) : {}) };
}

class AiSdkAgent implements RunningAgent {
  readonly #options: AgentOptions;
  readonly #tools: ToolSet;
  readonly #messages: ModelMessage[];
  readonly #middleware: ContextMiddleware | null;

  constructor(options: AgentOptions, tools: ToolSet, adapter: 'contextStep' | 'contextMiddleware') {
    this.#options = options;
    this.#tools = tools;
    this.#middleware = adapter === 'contextMiddleware' ? contextMiddleware(options.session) : null;
    this.#messages = [...(options.history as ModelMessage[])];
  }

  history(): readonly ModelMessage[] {
    return this.#messages;
  }

  async ask({ text, image, signal }: UserRequest): Promise<AgentAnswer> {
    const { server, session, system, maxTokens, reasoning, streaming } = this.#options;
    const openai = createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl });
    const content = [{ type: 'text' as const, text }];
    this.#messages.push({
      role: 'user',
      content: image === undefined ? text : [...content, { type: 'image', image, mediaType: 'image/png' }],
    });
    const tools = this.#tools;
    const middleware = this.#middleware;
    // Stored answers are the default of the provider; their reasoning is referred to by id.
    const model = reasoning ? openai.responses('m') : openai.chat('m');
    const call = {
      model: middleware ? wrapLanguageModel({ model, middleware }) : model,
      system,
      tools,
      messages: this.#messages,
      maxOutputTokens: maxTokens,
      maxRetries: 0,
      stopWhen: stepCountIs(1_000),
      ...(middleware ? {} : { prepareStep: contextStep(session) }),
      ...(reasoning ? { providerOptions: { openai: { forceReasoning: true } } } : {}),
      ...(signal ? { abortSignal: signal } : {}),
    };
    let pieces = 0;
    if (streaming) {
      const result = streamText({ ...call, onError: () => {} });
      for await (const _ of result.textStream) pieces++;
      const response = { response: await result.response, responseMessages: await responseMessagesOf(result) };
      this.#messages.push(...allResponseMessages(response));
      return { text: await result.text, pieces };
    }
    const result = await generateText(call);
    this.#messages.push(...allResponseMessages(result));
    return { text: result.text, pieces };
  }
}

/** The messages of all steps of a stream, in version 7. */
async function responseMessagesOf(result: object): Promise<ModelMessage[] | undefined> {
  return (result as { readonly responseMessages?: PromiseLike<ModelMessage[]> }).responseMessages;
}
