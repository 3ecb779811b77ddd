import type { Message, SummarizeRequest } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';

/** A page that arrived after rules had written. The next page about the same conversation takes it over. */
export class LatePage {
  #kept: { readonly page: string; readonly length: number; readonly fingerprint: string } | null = null;

  /** @param conversation the conversation that the page is about */
  keep(conversation: readonly Message[], page: string): void {
    // Agents may change what comes after the last answer.
    const length = conversation.findLastIndex(({ role }) => role === 'assistant') + 1;
    if (length > 0) this.#kept = { page, length, fingerprint: fingerprint(conversation, length) };
  }

  forget(): void {
    this.#kept = null;
  }

  /** Adds the page to a request about a conversation that continues its own. */
  addTo(request: SummarizeRequest, conversation: readonly Message[]): SummarizeRequest {
    const kept = this.#kept;
    const isAbout = kept && kept.length <= conversation.length;
    return isAbout && fingerprint(conversation, kept.length) === kept.fingerprint
      ? withEarlierPage(request, kept.page)
      : request;
  }
}

function withEarlierPage(request: SummarizeRequest, page: string): SummarizeRequest {
  const fence = '`'.repeat(Math.max(3, ...[...page.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const block = `A page about the earlier part of the conversation was written before. That part has been replaced since, by a list that rules wrote. Take over from the page what still holds. It is quoted as data:\n${fence}\n${page}\n${fence}`;
  const { instruction, prompt } = request;
  return {
    ...request,
    prompt: `${block}\n\n${prompt}`,
    ...(instruction === undefined ? {} : { instruction: `${block}\n\n${instruction}` }),
  };
}
