import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createOpenAI } from '@ai-sdk/openai';
import { contextTools } from '@palimpsest/session/ai-sdk';
import type { AdapterDriver } from '../../../test/adapter-suite/index.ts';
import { contextProcessor } from '../src/index.ts';

/** The parts of `@mastra/core` that the driver uses. */
interface Mastra {
  readonly Agent: new (
    options: Readonly<Record<string, unknown>>,
  ) => {
    generate(messages: unknown, options: object): Promise<Answered>;
    stream(
      messages: unknown,
      options: object,
    ): Promise<{ readonly textStream: AsyncIterable<string>; getFullOutput(): Promise<Answered> }>;
  };
  readonly createTool: (options: Readonly<Record<string, unknown>>) => unknown;
}

interface Answered {
  readonly steps: readonly { readonly text: string }[];
  readonly error?: unknown;
  readonly response: { readonly messages?: readonly unknown[] };
}

/** Loads Mastra from a folder outside the workspace. */
export async function loadMastra(folder: string): Promise<Mastra> {
  const { resolve } = createRequire(`${folder}/package.json`);
  const [{ Agent }, { createTool }] = await Promise.all(
    ['@mastra/core/agent', '@mastra/core/tools'].map((name) => import(pathToFileURL(resolve(name)).href)),
  );
  return { Agent, createTool };
}

export function mastraDriver({ Agent, createTool }: Mastra): AdapterDriver {
  return {
    name: 'Mastra',
    async start({ server, session, system, tools, maxTokens, recall, reasoning, streaming, history }) {
      const openai = createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl });
      const context = contextProcessor(session);
      const own = tools.map(({ name, description, parameters, run }) => [
        name,
        createTool({
          id: name,
          description,
          inputSchema: parameters,
          execute: async (input: Readonly<Record<string, unknown>>) => run(input),
        }),
      ]);
      const agent = new Agent({
        id: 'coder',
        name: 'Coder',
        instructions: system,
        model: reasoning ? openai.responses('m') : openai.chat('m'),
        maxRetries: 0,
        tools: { ...Object.fromEntries(own), ...(recall ? await contextTools(session) : {}) },
        inputProcessors: [context],
      });
      const messages: unknown[] = [...history];
      return {
        history: () => messages,
        async ask({ text, image, signal }) {
          const picture = { type: 'image', image: `data:image/png;base64,${image}`, mediaType: 'image/png' };
          const content = [{ type: 'text', text }, ...(image === undefined ? [] : [picture])];
          const input = [...messages, { role: 'user', content }];
          const options = {
            maxSteps: 1_000,
            modelSettings: { maxOutputTokens: maxTokens, maxRetries: 0 },
            ...(reasoning ? { providerOptions: { openai: { forceReasoning: true } } } : {}),
            ...(signal ? { abortSignal: signal } : {}),
          };
          let pieces = 0;
          let answer: Answered;
          if (streaming) {
            const stream = await agent.stream(input, options);
            for await (const _ of stream.textStream) pieces++;
            answer = await stream.getFullOutput();
          } else answer = await agent.generate(input, options);
          if (answer.error) throw answer.error;
          if (signal?.aborted) throw signal.reason;
          messages.push({ role: 'user', content }, ...(answer.response.messages ?? []));
          return { text: answer.steps.at(-1)?.text ?? '', pieces };
        },
      };
    },
  };
}
