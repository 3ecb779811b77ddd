import type { SummarizeResponse, Usage } from '@palimpsest/core';

/** Asks the conversation's own model for a page, in the name of an answered request: to its address, with its access. */
export interface PageSource {
  /** The output cap of the request, in tokens. */
  readonly maxTokens: number | undefined;
  /** False while the limits that the provider reported leave no room for one more request. */
  readonly hasRoom: boolean;
  /**
   * Set if its server answers one request at a time: the page is given up when the next request comes. `busy` if that follows
   * at once, so that no page is asked for.
   */
  readonly slot?: 'free' | 'busy' | undefined;
  /**
   * Sends the request again, followed by its answer and one message with the instruction, so that the provider reads
   * nearly all of it from its cache. `null` if the request does not allow an answer in text. The text is empty if the
   * model calls a tool instead.
   */
  readonly askCached: ((instruction: string, signal: AbortSignal) => Promise<SummarizeResponse>) | null;
  /** Sends one message, without the conversation and its tools. @param answerTokens the minimum output cap */
  ask(prompt: string, answerTokens: number, signal: AbortSignal): Promise<SummarizeResponse>;
}

/** Sent as the result of a call that is being made: providers refuse a call without a result. */
export const pendingResult = '[This call is still running. Its result will follow your page, so leave the call out.]';

/** Match the headers that state what is left of a provider's rate limit. */
const requestsLeft: RegExp = /^(?:anthropic-ratelimit-requests-remaining|x-ratelimit-remaining-requests)$/;
const tokensLeft: RegExp = /^(?:anthropic-ratelimit-(?:input-)?tokens-remaining|x-ratelimit-remaining-tokens)$/;

/** False if the headers of an answer say that another prompt of its size would reach a limit. */
export function hasRoom(headers: Headers, usage: Usage | null): boolean {
  const promptTokens = usage?.promptTokens ?? 0;
  for (const [name, value] of headers) {
    if (requestsLeft.test(name) && Number(value) < 2) return false;
    if (tokensLeft.test(name) && Number(value) < promptTokens) return false;
  }
  return !headers.has('retry-after');
}
