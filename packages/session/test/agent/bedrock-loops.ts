import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import type { ContentBlock, Message } from '@aws-sdk/client-bedrock-runtime';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { runTool, type ToolInput, toolNames, toolParameters } from '../../../../test/coding-agent/real-tools.ts';
import { askConverse } from '../../../../test/converse.ts';
import { awsCredentials, bedrockApiKey } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { type BedrockLogin, bedrockClient } from '../bedrock-client.ts';
import { description, type LoopOptions, maxTokens, requestText, systemPrompt } from './loops.ts';
import { allResponseMessages, allStreamedMessages } from './response-messages.ts';

const model = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const cachePoint = { cachePoint: { type: 'default' } } as const;

/** An agent on `Converse` with the AWS SDK that moves a cache point along; every other answer is streamed. */
export function converseLoop(login: BedrockLogin): (options: LoopOptions) => Promise<void> {
  return async ({ baseURL, session, requests, notes, history, recall }) => {
    const client = bedrockClient(baseURL, login, contextFetch(session, { recall, aws: awsCredentials }));
    const messages = history as Message[];
    const tools = toolNames.map((name) => ({
      toolSpec: { name, description, inputSchema: { json: { ...toolParameters, required: ['path'] } } },
    }));
    let isStreamed = false;
    const ask = async (): Promise<readonly ContentBlock[]> => {
      isStreamed = !isStreamed;
      const last = messages.at(-1)!;
      const input = {
        modelId: model,
        system: [{ text: systemPrompt }, cachePoint],
        messages: [...messages.slice(0, -1), { ...last, content: [...last.content!, cachePoint] }],
        toolConfig: { tools: tools as never[] },
        inferenceConfig: { maxTokens },
      };
      const { content } = await askConverse(client, input, isStreamed);
      messages.push({ role: 'assistant', content: [...content] });
      return content;
    };
    for (let request = 1; request <= requests; request++) {
      messages.push({ role: 'user', content: [{ text: requestText(request) }] });
      for (let calling = true; calling; ) {
        const results = (await ask()).flatMap(({ toolUse }): ContentBlock[] => {
          if (!toolUse) return [];
          const { toolUseId, name, input } = toolUse;
          const text = runTool(name!, input as unknown as ToolInput, notes);
          return [{ toolResult: { toolUseId, content: [{ text }], status: 'success' } }];
        });
        if (results.length > 0) messages.push({ role: 'user', content: results });
        calling = results.length > 0;
      }
    }
  };
}

/** An agent of the AI SDK on `@ai-sdk/amazon-bedrock`, with the session behind its fetch; every other request is streamed. */
export function amazonLoop(login: BedrockLogin): (options: LoopOptions) => Promise<void> {
  return async ({ baseURL, session, requests, notes, history, recall }) => {
    const bedrock = createAmazonBedrock({
      region: 'eu-west-1',
      ...(login === 'key' ? { apiKey: bedrockApiKey } : awsCredentials),
      baseURL,
      fetch: contextFetch(session, { recall, aws: awsCredentials }) as typeof globalThis.fetch,
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
        model: bedrock(model),
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
  };
}
