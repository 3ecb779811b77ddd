import { generateText, jsonSchema, type LanguageModel, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { createOllama as createAiSdkOllama } from 'ai-sdk-ollama';
import { type Message, Ollama } from 'ollama';
import { createOllama } from 'ollama-ai-provider-v2';
import { runTool, type ToolInput, toolNames, toolParameters } from '../../../../test/coding-agent/real-tools.ts';
import { contextFetch } from '../../src/fetch.ts';
import { description, type LoopOptions, maxTokens, requestText, systemPrompt } from './loops.ts';
import { allResponseMessages, allStreamedMessages } from './response-messages.ts';

/** The loopback server gives calls of models with a 2 in their name no ids. */
const withIds = 'qwen3';
const withoutIds = 'llama3.2';

/** An agent on the package `ollama`; every other request is streamed. @param model the server gives calls of `llama3.2` no ids */
export function ollamaLoop(model: typeof withIds | typeof withoutIds) {
  return async ({ baseURL, session, requests, notes, history, recall }: LoopOptions): Promise<void> => {
    const client = new Ollama({ host: baseURL, fetch: contextFetch(session, { recall }) as typeof fetch });
    const messages = history as Message[];
    messages.push({ role: 'system', content: systemPrompt });
    const tools = toolNames.map((name) => ({
      type: 'function',
      function: { name, description, parameters: { ...toolParameters, required: ['path'] } },
    }));
    const options = { num_ctx: 16_000, num_predict: maxTokens };
    let isStreamed = false;
    const ask = async (): Promise<Message> => {
      isStreamed = !isStreamed;
      const body = { model, messages, tools, options };
      if (!isStreamed) return (await client.chat({ ...body, stream: false })).message;
      const whole: Message = { role: 'assistant', content: '' };
      for await (const { message } of await client.chat({ ...body, stream: true })) {
        whole.content += message.content;
        if (message.tool_calls) whole.tool_calls = [...(whole.tool_calls ?? []), ...message.tool_calls];
      }
      return whole;
    };
    for (let request = 1; request <= requests; request++) {
      messages.push({ role: 'user', content: requestText(request) });
      for (let calling = true; calling; ) {
        const answer = await ask();
        messages.push(answer);
        const calls = answer.tool_calls ?? [];
        for (const { function: called } of calls) {
          const content = runTool(called.name, called.arguments as unknown as ToolInput, notes);
          messages.push({ role: 'tool', tool_name: called.name, content });
        }
        calling = calls.length > 0;
      }
    }
  };
}

/** An agent of the AI SDK on `ollama-ai-provider-v2`, with the session behind its fetch; every other request is streamed. */
export function ollamaProviderLoop(options: LoopOptions): Promise<void> {
  const { baseURL, session, recall } = options;
  const fetch = contextFetch(session, { recall }) as typeof globalThis.fetch;
  return providerLoop(options, createOllama({ baseURL: `${baseURL}/api`, fetch })(withIds));
}

/** The same on `ai-sdk-ollama`, which is made of the package `ollama`. */
export function aiSdkOllamaLoop(options: LoopOptions): Promise<void> {
  const { baseURL, session, recall } = options;
  const fetch = contextFetch(session, { recall }) as typeof globalThis.fetch;
  return providerLoop(options, createAiSdkOllama({ baseURL, fetch })(withoutIds));
}

async function providerLoop({ requests, notes, history }: LoopOptions, model: LanguageModel): Promise<void> {
  const messages = history as ModelMessage[];
  const tools = Object.fromEntries(
    toolNames.map((name) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<ToolInput>({ ...toolParameters, required: ['path'] }),
        execute: (input: ToolInput) => runTool(name, input, notes),
      }),
    ]),
  );
  for (let request = 1; request <= requests; request++) {
    messages.push({ role: 'user', content: requestText(request) });
    const options = {
      model,
      system: systemPrompt,
      tools,
      messages,
      maxOutputTokens: maxTokens,
      maxRetries: 0,
      stopWhen: stepCountIs(1_000),
    };
    if (request % 2 === 0) messages.push(...allResponseMessages(await generateText(options)));
    else messages.push(...(await allStreamedMessages(streamText(options))));
  }
}
