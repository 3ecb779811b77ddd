import { contextFetch } from '@palimpsest/session/fetch';
import { testRecipe } from './installed.ts';

/** The fetch of a session in the client of the provider. The caller keeps the messages. */
await testRecipe('Genkit', 'genkit', async (load) => {
  const { genkit } = await load('genkit');
  const { openAI } = await load('@genkit-ai/compat-oai/openai');
  return {
    name: 'Genkit',
    start({ server, session, system, tools, maxTokens, recall, streaming, history }) {
      const fetch = contextFetch(session, { recall });
      const ai = genkit({ plugins: [openAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 })] });
      const own = tools.map(({ name, description, parameters: inputJsonSchema, run }) =>
        ai.defineTool({ name, description, inputJsonSchema }, async (input: Readonly<Record<string, unknown>>) =>
          run(input),
        ),
      );
      let messages = history;
      return {
        history: () => messages,
        async ask({ text, image, signal }) {
          const picture = { media: { url: `data:image/png;base64,${image}`, contentType: 'image/png' } };
          let pieces = 0;
          const response = await ai.generate({
            model: openAI.model('gpt-4o'),
            system,
            messages,
            prompt: [{ text }, ...(image === undefined ? [] : [picture])],
            tools: own,
            maxTurns: 1_000,
            config: { maxTokens },
            abortSignal: signal,
            ...(streaming && { onChunk: (chunk: { readonly text: string }) => void (chunk.text && pieces++) }),
          });
          messages = response.messages.filter(({ role }: { readonly role: string }) => role !== 'system');
          return { text: response.text, pieces };
        },
      };
    },
  };
});
