import { contextFetch } from '@palimpsest/session/fetch';
import { type ChatMiddleware, chat, type ModelMessage, maxIterations, toolDefinition } from '@tanstack/ai';
import { createOpenaiChatCompletions } from '@tanstack/ai-openai';
import { type AdapterDriver, testAdapter } from '../adapter-suite/index.ts';

/** The fetch of a session in the client of the provider. The agent keeps the messages of each turn itself. */
const tanstackDriver: AdapterDriver = {
  name: 'TanStack AI',
  cannot: {
    reasoning: 'on Responses, the framework sends thoughts without what followed them, with and without a session',
  },
  start({ server, session, system, tools, recall, history }) {
    const config = { baseURL: server.openaiUrl, fetch: contextFetch(session, { recall }), maxRetries: 0 };
    const adapter = createOpenaiChatCompletions('gpt-5-mini', 'test', config);
    const serverTools = tools.map(({ name, description, parameters, run }) =>
      toolDefinition({ name, description, inputSchema: parameters }).server((input) =>
        run(input as Readonly<Record<string, unknown>>),
      ),
    );
    let messages = history as ModelMessage[];
    const keep: ChatMiddleware = {
      onFinish(context) {
        messages = [...context.messages];
      },
    };
    return {
      history: () => messages,
      async ask({ text, image, signal }) {
        const parts = [{ type: 'text' as const, content: text }];
        const source = { type: 'data' as const, value: image ?? '', mimeType: 'image/png' };
        const content = image === undefined ? text : [...parts, { type: 'image' as const, source }];
        const abortController = new AbortController();
        signal?.addEventListener('abort', () => abortController.abort());
        let answer = '';
        let pieces = 0;
        const stream = chat({
          adapter,
          messages: [...messages, { role: 'user', content }],
          systemPrompts: [system],
          tools: serverTools,
          agentLoopStrategy: maxIterations(1_000),
          abortController,
          middleware: [keep],
        });
        for await (const chunk of stream) {
          if (chunk.type === 'TEXT_MESSAGE_START') answer = '';
          if (chunk.type === 'TEXT_MESSAGE_CONTENT') {
            answer += chunk.delta;
            pieces++;
          }
          if (chunk.type === 'RUN_ERROR') throw new Error(chunk.message);
        }
        if (signal?.aborted) throw signal.reason;
        return { text: answer, pieces };
      },
    };
  },
};

testAdapter(tanstackDriver);
