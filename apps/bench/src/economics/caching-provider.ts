import type { Message } from '@palimpsest/core';
import { type Bill, PrefixCache } from '@palimpsest/eval/measures';
import type { FetchFunction } from '@palimpsest/session/fetch';
import { createTokenCounter } from '@palimpsest/tokens';

interface ChatBody {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly object[];
}

interface ProviderParts {
  readonly now: () => number;
  /** The answer to a request; `null` for a step of the agent. */
  readonly summaryOf: (messages: readonly Message[]) => Promise<string | null>;
  /** The calls for summaries since the last step, made elsewhere. */
  readonly takeCalls: () => Bill['calls'];
}

/** Tokens of the answer in a step of the agent. */
const answerTokens = 100;

/** The message that stands for the tools: the cache sees them before the others. */
const toolsMessage = (tools: readonly object[]): Message => ({ role: 'system', content: JSON.stringify(tools) });

/** A provider of chat completions with a prompt cache. It bills the bytes that arrive, and reports what it has cached. */
export class CachingProvider {
  readonly bills: Bill[] = [];
  readonly #parts: ProviderParts;
  readonly #counter = createTokenCounter();
  readonly #cache = new PrefixCache((message) => this.#counter.countMessage(message));
  #ridden: Bill['calls'][number][] = [];
  largestPrompt = 0;

  constructor(parts: ProviderParts) {
    this.#parts = parts;
  }

  readonly fetch: FetchFunction = async (_, init) => {
    const { model, messages, tools } = JSON.parse(init?.body as string) as ChatBody;
    const now = this.#parts.now();
    const prompt = [toolsMessage(tools), ...messages];
    const promptTokens = prompt.reduce((sum, message) => sum + this.#counter.countMessage(message), 0);
    const cachedTokens = this.#cache.read(prompt, now);
    const summary = await this.#parts.summaryOf(messages);
    const outputTokens = summary === null ? answerTokens : this.#counter.countText(summary);
    if (summary === null) {
      this.#cache.write(prompt, now);
      const calls = [...this.#parts.takeCalls(), ...this.#ridden.splice(0)];
      this.bills.push({ cachedTokens, writtenTokens: promptTokens - cachedTokens, outputTokens, calls });
      this.largestPrompt = Math.max(this.largestPrompt, promptTokens);
    } else {
      this.#ridden.push({ inputTokens: promptTokens, prefixTokens: cachedTokens, cachedTokens, outputTokens });
    }
    return Response.json({
      id: 'answer',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: summary ?? 'Done.' } }],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: outputTokens,
        total_tokens: promptTokens + outputTokens,
        prompt_tokens_details: { cached_tokens: cachedTokens },
      },
    });
  };
}
