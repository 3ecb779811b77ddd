import { type PageSource, toPage } from '@palimpsest/session/adapter';
import type { OpenclawLlm } from './openclaw-api.ts';

/** Asks the model of an agent of OpenClaw. It gets no request with tools, so the last one cannot be repeated. */
export function pageSource(llm: OpenclawLlm): PageSource {
  return {
    maxTokens: undefined,
    hasRoom: true,
    askCached: null,
    async ask(content, maxTokens, signal) {
      const messages = [{ role: 'user' as const, content }];
      const { text, stopReason, usage } = await llm.complete({
        ...{ messages, maxTokens, signal },
        purpose: 'palimpsest.summary',
      });
      const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
      const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
      const counted = promptTokens > 0 ? { promptTokens, completionTokens: outputTokens } : null;
      return toPage({ text, hasCalls: false, isCut: stopReason === 'length', usage: counted });
    },
  };
}
