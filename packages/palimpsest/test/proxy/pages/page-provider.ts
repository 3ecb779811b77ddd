import { type Behaviour, contextWindow, type Received } from '../../../../../test/loopback-server/index.ts';
import { type ProviderLog, scriptedProvider } from '../scripted-provider.ts';

/** What a {@link pageProvider} does. */
export interface PageScript {
  /** Tokens. */
  readonly window: number;
  /** Rounds in which the agent reads a file. */
  readonly rounds: number;
  /** Ends a task each time after this many rounds. @default never */
  readonly roundsPerTask?: number;
  /** Words of the model in each round, which are not pruned. Tokens. @default 1_300 */
  readonly wordTokens?: number;
  /** What is answered to the request for a page. @param number from 1 */
  page(request: Received, number: number): Behaviour | Promise<Behaviour>;
}

/** A model that works, and writes the pages that it is asked for. */
export interface PageProvider {
  readonly log: ProviderLog;
  /** The requests for pages. */
  readonly pages: readonly Received[];
  script(request: Received): Behaviour | Promise<Behaviour>;
}

/** True for a request for a page: behind the request of an agent, or alone. */
export function isPage({ text }: Pick<Received, 'text'>): boolean {
  return /Stop the work for this one message\.|The turns:\n/.test(text);
}

/** The messages or items of a request. */
export function listOf({ body }: Received): readonly unknown[] {
  return (body.messages ?? body.input ?? body.contents) as unknown[];
}

/** The answer with a page, as a provider with a warm cache gives it. */
export function pageAnswer(text: string): Behaviour {
  return { kind: 'answer', text, promptTokens: 20_000, cachedTokens: 19_000, completionTokens: 60 };
}

/** A strict model with a window, for agents and pages alike. */
export function pageProvider({ window, rounds, roundsPerTask, wordTokens = 1_300, page }: PageScript): PageProvider {
  const { log, script } = scriptedProvider(window, rounds, roundsPerTask);
  // Requests for pages come between those of the agent, whose prompts are compared with each other.
  const judgePage = contextWindow(window);
  const pages: Received[] = [];
  const sentence = 'I read on and write down what I see. ';
  const words = sentence.repeat(Math.ceil(wordTokens / 9));
  return {
    log,
    pages,
    script(request) {
      if (isPage(request)) {
        pages.push(request);
        const { promptTokens, refusal } = judgePage(request);
        if (refusal) log.refused.push(`a page of ${promptTokens} tokens`);
        return refusal ?? page(request, pages.length);
      }
      const reply = script(request);
      return reply.kind === 'answer' && reply.calls
        ? { ...reply, text: `Round ${log.prompts.length}. ${words}` }
        : reply;
    },
  };
}
