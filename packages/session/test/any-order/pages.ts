import type { Clock, SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';
import { writtenSummary } from '@palimpsest/testkit';
import type { PageSource } from '../../src/conversation/page-source.ts';

/** A page that a model is asked for. */
export interface Page {
  /** Words that only this page has. */
  readonly mark: string;
  /** What the model was asked with. */
  readonly prompt: string;
  /** Name of the conversation that it is about. */
  about: string;
  /** The conversation that it is about ended since. */
  isStale: boolean;
  /** Rules had to write before it arrived. */
  isLate: boolean;
  readonly arrive: () => void;
  readonly fail: () => void;
}

const usage = { promptTokens: 3_000, completionTokens: 100 };

/** A model that writes pages when the test lets them arrive. */
export class Pages {
  readonly open: Page[] = [];
  /** Pages that arrived, and have not been in a request, nor in the prompt of a later page. */
  unused: Page[] = [];
  /** Called with a page that is asked for. */
  asked: (page: Page) => void = () => undefined;
  /** True while pages arrive at once. */
  isQuick = false;
  /** Failures in a row, and when the last one was. */
  failures = 0;
  failedAt = 0;
  #count = 0;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  readonly summarizer: Summarizer = {
    id: 'pages',
    summarize: (request) => this.#write(request.prompt, request.signal, request),
  };

  /** Asks the same model in the name of a request. */
  readonly source: PageSource = {
    maxTokens: undefined,
    hasRoom: true,
    askCached: (instruction, signal) => this.#write(instruction, signal, null),
    ask: (prompt, _, signal) => this.#write(prompt, signal, null),
  };

  /** The conversation ends: its pages are not used any more. */
  forget(): void {
    this.unused = [];
    for (const page of this.open) page.isStale = true;
  }

  #noteFailure(): void {
    this.failures++;
    this.failedAt = this.#clock.now();
  }

  #write(
    prompt: string,
    signal: AbortSignal | undefined,
    request: SummarizeRequest | null,
  ): Promise<SummarizeResponse> {
    const mark = `Page ${this.#count++} was paid for.`;
    return new Promise((resolve, reject) => {
      const close = (): void => void this.open.splice(this.open.indexOf(page), 1);
      const page: Page = {
        mark,
        prompt,
        about: '',
        isStale: false,
        isLate: false,
        arrive: () => {
          close();
          this.failures = 0;
          if (!page.isStale) this.unused.push(page);
          const text = request ? writtenSummary(request) : '## Goal\nContinue.';
          resolve({ text: `## Goal\n${mark}\n\n${text.replace(/^## Goal\n/m, '')}`, usage });
        },
        fail: () => {
          close();
          this.#noteFailure();
          reject(Object.assign(new Error('overloaded'), { status: 529 }));
        },
      };
      signal?.addEventListener('abort', () => {
        if (!this.open.includes(page)) return;
        close();
        const reason = signal.reason as Error;
        if (/too long/.test(reason.message)) this.#noteFailure();
        reject(reason);
      });
      this.asked(page);
      this.open.push(page);
      if (this.isQuick) page.arrive();
    });
  }
}
