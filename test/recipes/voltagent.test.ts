import { contextFetch } from '@palimpsest/session/fetch';
import { testRecipe } from './installed.ts';

interface ToolPart {
  readonly type: string;
  readonly output?: { readonly type: string; readonly value: { readonly type?: string } | null };
}
interface ModelMessage {
  readonly role: string;
  readonly content: string | readonly ToolPart[];
}

interface StoredMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly unknown[];
}

/** VoltAgent stores a result with its type, and passes that on as JSON in the next turn. */
function asFirstSent({ content, ...message }: ModelMessage): ModelMessage {
  if (message.role !== 'tool' || typeof content === 'string') return { ...message, content };
  const parts = content.map((part) => (part.output?.value?.type ? { ...part, output: part.output.value } : part));
  return { ...message, content: parts as ToolPart[] };
}

/** The fetch of a session in the client of the provider. VoltAgent keeps the messages in its memory. */
await testRecipe('VoltAgent', '@voltagent/core', async (load) => {
  const { Agent, createTool, InMemoryStorageAdapter, Memory } = await load('@voltagent/core');
  const { createOpenAI } = await load('@ai-sdk/openai');
  const { jsonSchema } = await load('ai');
  const [userId, conversationId] = ['user', 'conversation'];
  return {
    name: 'VoltAgent',
    async start({ server, session, system, tools, maxTokens, recall, reasoning, streaming, history }) {
      const fetch = contextFetch(session, { recall });
      const openai = createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch });
      const memory = new Memory({ storage: new InMemoryStorageAdapter() });
      await memory.createConversation({ id: conversationId, userId, resourceId: 'coder', title: '', metadata: {} });
      await memory.addMessages(history, userId, conversationId);
      const agent = new Agent({
        name: 'coder',
        instructions: system,
        model: reasoning ? openai.responses('m') : openai.chat('m'),
        tools: tools.map(({ name, description, parameters, run }) =>
          createTool({
            name,
            description,
            parameters: jsonSchema(parameters),
            execute: async (input: never) => run(input),
          }),
        ),
        hooks: {
          onPrepareModelMessages: ({ modelMessages }: { readonly modelMessages: readonly ModelMessage[] }) => ({
            modelMessages: modelMessages.map(asFirstSent),
          }),
        },
        memory,
        maxSteps: 1_000,
        maxRetries: 0,
      });
      return {
        async history() {
          const stored = (await memory.getMessages(userId, conversationId)) as readonly StoredMessage[];
          // The memory dates a message when it is added, also one of an earlier process.
          return stored.map(({ id, role, parts }) => ({ id, role, parts }));
        },
        async ask({ text, image, signal }) {
          const picture = { type: 'image', image: `data:image/png;base64,${image}`, mediaType: 'image/png' };
          const content = [{ type: 'text', text }, ...(image === undefined ? [] : [picture])];
          const options = {
            memory: { userId, conversationId, options: { contextLimit: 10_000 } },
            maxOutputTokens: maxTokens,
            abortSignal: signal,
            ...(reasoning && { providerOptions: { openai: { forceReasoning: true } } }),
          };
          let pieces = 0;
          if (!streaming)
            return { text: (await agent.generateText([{ role: 'user', content }], options)).text, pieces };
          const stream = await agent.streamText([{ role: 'user', content }], options);
          for await (const _ of stream.textStream) pieces++;
          return { text: await stream.text, pieces };
        },
      };
    },
  };
});
