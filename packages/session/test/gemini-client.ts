import { type GenerateContentParameters, type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import type { FetchFunction } from '../src/fetch.ts';

/** A client of `@google/genai` for tests. */
export interface GeminiClient {
  readonly client: GoogleGenAI;
  /** Makes a call with the client's own `fetch`. */
  run<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Asks, streamed or not. @returns the answer, or its chunks */
  ask(parameters: GenerateContentParameters, isStreamed: boolean): Promise<readonly GenerateContentResponse[]>;
}

/** The client has no option for a `fetch`, so the global one is replaced while a request is made. */
export function geminiClient(baseUrl: string, make: (fetch: FetchFunction) => FetchFunction): GeminiClient {
  const client = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl } });
  const usual = globalThis.fetch;
  const own = make((input, init) => usual(input, init)) as typeof globalThis.fetch;
  const run: GeminiClient['run'] = async (call) => {
    globalThis.fetch = own;
    try {
      return await call();
    } finally {
      globalThis.fetch = usual;
    }
  };
  return {
    client,
    run,
    async ask(parameters, isStreamed) {
      if (!isStreamed) return [await run(() => client.models.generateContent(parameters))];
      const chunks: GenerateContentResponse[] = [];
      for await (const chunk of await run(() => client.models.generateContentStream(parameters))) chunks.push(chunk);
      return chunks;
    },
  };
}
