import type { Session } from '@palimpsest/session';
import type { OpenclawLlm } from './openclaw-api.ts';

type PageSource = Parameters<Session['internals']['noteSource']>[2];

/** Asks the model of an agent of OpenClaw. It gets no request with tools, so the last one cannot be repeated. */
export function pageSource(llm: OpenclawLlm): PageSource {
  return {
    maxTokens: undefined,
    hasRoom: true,
    ride: null,
    async ask(content, maxTokens, signal) {
      const messages = [{ role: 'user' as const, content }];
      const { text, stopReason, usage } = await llm.complete({
        ...{ messages, maxTokens, signal },
        purpose: 'palimpsest.summary',
      });
      const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
      const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
      return {
        text,
        finishReason: stopReason === 'length' ? 'length' : 'stop',
        ...(promptTokens > 0 && { usage: { promptTokens, completionTokens: outputTokens } }),
      };
    },
  };
}
