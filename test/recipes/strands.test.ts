import { contextFetch } from '@palimpsest/session/fetch';
import { testRecipe } from './installed.ts';

/** Strands streams every answer, and keeps the messages itself. */
await testRecipe('Strands', '@strands-agents/sdk', async (load) => {
  const { Agent, FunctionTool, NullConversationManager } = await load('@strands-agents/sdk');
  const { OpenAIModel } = await load('@strands-agents/sdk/models/openai');
  return {
    name: 'Strands',
    cannot: { reasoning: 'the framework does not send thoughts back' },
    start({ server, session, system, tools, maxTokens, recall, history }) {
      const fetch = contextFetch(session, { recall });
      const clientConfig = { baseURL: server.openaiUrl, fetch, maxRetries: 0 };
      const agent = new Agent({
        model: new OpenAIModel({ api: 'responses', modelId: 'm', apiKey: 'test', maxTokens, clientConfig }),
        conversationManager: new NullConversationManager(),
        systemPrompt: system,
        tools: tools.map(
          ({ name, description, parameters: inputSchema, run }) =>
            new FunctionTool({ name, description, inputSchema, callback: run }),
        ),
        messages: history,
        retryStrategy: null,
        printer: false,
      });
      return {
        history: () => agent.messages,
        async ask({ text, image, signal }) {
          const source = { bytes: Buffer.from(image ?? '', 'base64') };
          const input = image === undefined ? text : [{ text }, { image: { format: 'png', source } }];
          let pieces = 0;
          const stream = agent.stream(input, { cancelSignal: signal });
          let next = await stream.next();
          for (; !next.done; next = await stream.next()) if (next.value.event?.delta?.type === 'textDelta') pieces++;
          if (signal?.aborted) throw signal.reason;
          return { text: next.value.toString().trim(), pieces };
        },
      };
    },
  };
});
