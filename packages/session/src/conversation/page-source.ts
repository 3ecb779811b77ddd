import type { SummarizeResponse } from '@palimpsest/core';

/** Asks the conversation's own model for a page, in the name of an answered request: to its address, with its access. */
export interface PageSource {
  /** The output cap of the request, in tokens. */
  readonly maxTokens: number | undefined;
  /** False while the limits that the provider reported leave no room for one more request. */
  readonly hasRoom: boolean;
  /**
   * Sends the request again, followed by its answer and one message with the instruction, so that the provider reads
   * nearly all of it from its cache. `null` if the request does not allow an answer in text.
   */
  readonly ride: ((instruction: string, signal: AbortSignal) => Promise<SummarizeResponse>) | null;
  /** Sends one message, without the conversation and its tools. */
  ask(prompt: string, budgetTokens: number, signal: AbortSignal): Promise<SummarizeResponse>;
}

/** Stands in for the result of a call that the client has not made yet. */
export const pendingResult = '[This call has not been made yet.]';

/** Matches the headers with what is left of a provider's limit for requests. */
const requestsLeft: RegExp = /^(?:anthropic-ratelimit-requests-remaining|x-ratelimit-remaining-requests)$/;

/** False if the headers of an answer say that the next request would reach a limit. */
export function hasRoom(headers: Headers): boolean {
  for (const [name, value] of headers) if (requestsLeft.test(name) && Number(value) < 2) return false;
  return !headers.has('retry-after');
}
