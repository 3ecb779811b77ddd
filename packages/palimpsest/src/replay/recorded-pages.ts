import type { SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import type { Sample } from '@palimpsest/eval/inputs/sample';

/** What a model read and wrote for one page, in tokens. The conversation itself was in its prompt already. */
export interface PageTokens {
  readonly instruction: number;
  readonly text: number;
}

/** A summarizer that answers with the pages of a sample, which a model wrote before. */
export class RecordedPages implements Summarizer {
  readonly id = 'recorded';
  /** True if a page was needed that is not recorded, such as with other settings. */
  hasMissed = false;
  readonly #sample: Sample;
  #tokens: PageTokens | null = null;

  constructor(sample: Sample) {
    this.#sample = sample;
  }

  async summarize({ material, instruction, prompt }: SummarizeRequest): Promise<SummarizeResponse> {
    const of = fingerprint(material.messages);
    const page = this.#sample.found.pages?.find((one) => one.of === of);
    if (!page) {
      this.hasMissed = true;
      throw new Error('no page is recorded for these messages');
    }
    const { tokens } = this.#sample;
    this.#tokens = { instruction: tokens.countText(instruction ?? prompt), text: tokens.countText(page.text) };
    return { text: page.text, finishReason: 'stop', writer: 'model' };
  }

  /** The page written since the last call; `null` for none. */
  takeTokens(): PageTokens | null {
    const tokens = this.#tokens;
    this.#tokens = null;
    return tokens;
  }
}
