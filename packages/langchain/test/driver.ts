import {
  type BaseMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import type { AdapterDriver } from '../../../test/adapter-suite/index.ts';
import { agentMiddleware } from '../src/index.ts';

/** An agent whose state is kept by a checkpointer, as LangGraph's own persistence does it. */
export const langchainDriver: AdapterDriver = {
  name: 'LangChain 1',
  async start({ server, session, system, tools, maxTokens, streaming, reasoning, history }) {
    const agent = createAgent({
      model: new ChatOpenAI({
        model: 'm',
        apiKey: 'test',
        configuration: { baseURL: server.openaiUrl },
        maxTokens,
        maxRetries: 0,
        useResponsesApi: reasoning,
      }),
      systemPrompt: system,
      tools: tools.map(({ name, description, parameters, run }) =>
        tool((input: unknown) => run(input as Readonly<Record<string, unknown>>), {
          name,
          description,
          schema: parameters as { type: 'object' },
        }),
      ),
      middleware: [await agentMiddleware(session)],
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: 'one' }, recursionLimit: 10_000, durability: 'exit' as const };
    const messages = async (): Promise<BaseMessage[]> => {
      const { values } = await agent.graph.getState(thread);
      return (values as { readonly messages?: BaseMessage[] }).messages ?? [];
    };
    let earlier = mapStoredMessagesToChatMessages(history as StoredMessage[]);
    return {
      history: async () => mapChatMessagesToStoredMessages([...earlier, ...(await messages())]),
      async ask({ text, image, signal }) {
        const url = `data:image/png;base64,${image}`;
        const content =
          image === undefined
            ? text
            : [
                { type: 'text', text },
                { type: 'image_url', image_url: { url } },
              ];
        const input = { messages: [...earlier, new HumanMessage({ content })] };
        const config = { ...thread, ...(signal ? { signal } : {}) };
        earlier = [];
        let pieces = 0;
        if (streaming) {
          const stream = await agent.stream(input, { ...config, streamMode: 'messages' });
          for await (const [chunk] of stream) if (chunk.getType() === 'ai' && chunk.text !== '') pieces++;
        } else await agent.invoke(input, config);
        return { text: (await messages()).at(-1)!.text, pieces };
      },
    };
  },
};
