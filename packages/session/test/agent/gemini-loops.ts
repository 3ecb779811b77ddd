import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { Content, Part } from '@google/genai';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { runTool, type ToolInput, toolNames, toolParameters } from '../../../../test/coding-agent/real-tools.ts';
import { contextFetch } from '../../src/fetch.ts';
import { geminiClient } from '../gemini-client.ts';
import { description, type LoopOptions, maxTokens, requestText, systemPrompt } from './loops.ts';
import { allResponseMessages, allStreamedMessages } from './response-messages.ts';

const model = 'gemini-3-pro-preview';

/** An agent on chats of `@google/genai`, which keep the chunks of a streamed answer as they came; every other one is streamed. */
export async function geminiLoop({ baseURL, session, requests, notes, history, recall }: LoopOptions): Promise<void> {
  const { client, run } = geminiClient(baseURL, (fetch) => contextFetch(session, { recall, fetch }));
  const functionDeclarations = toolNames.map((name) => ({
    name,
    description,
    parametersJsonSchema: { ...toolParameters, required: ['path'] },
  }));
  const config = { systemInstruction: systemPrompt, maxOutputTokens: maxTokens, tools: [{ functionDeclarations }] };
  const chat = client.chats.create({ model, config, history: history as Content[] });
  let isStreamed = false;
  const send = async (message: Part[]): Promise<Part[]> => {
    isStreamed = !isStreamed;
    if (!isStreamed) return partsOf(await run(() => chat.sendMessage({ message })));
    const parts: Part[] = [];
    for await (const chunk of await run(() => chat.sendMessageStream({ message }))) parts.push(...partsOf(chunk));
    return parts;
  };
  for (let request = 1; request <= requests; request++) {
    let message: Part[] = [{ text: requestText(request) }];
    while (message.length > 0) {
      const calls = (await send(message)).flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
      message = calls.map(({ id, name, args }) => {
        const response = { output: runTool(name!, args as unknown as ToolInput, notes) };
        return { functionResponse: { ...(id !== undefined && { id }), name: name!, response } };
      });
    }
  }
  history.push(...chat.getHistory());
}

function partsOf({ candidates }: { readonly candidates?: readonly { readonly content?: Content }[] }): Part[] {
  return candidates?.[0]?.content?.parts ?? [];
}

/** An agent of the AI SDK on `@ai-sdk/google`, with the session behind its fetch; every other request is streamed. */
export async function googleLoop({ baseURL, session, requests, notes, history, recall }: LoopOptions): Promise<void> {
  const google = createGoogleGenerativeAI({
    apiKey: 'test',
    baseURL: `${baseURL}/v1beta`,
    fetch: contextFetch(session, { recall }) as typeof globalThis.fetch,
  });
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
      model: google(model),
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
