import type { Summarizer } from '@palimpsest/core';
import type { PromptInput } from '../prompt/write-prompt.ts';
import { type Source, summaryMaterial } from '../source/gather-source.ts';
import { type CallContext, callSummarizer } from './call-summarizer.ts';
import { readAnswer, type SummaryAnswer, storable } from './read-answer.ts';

/** What to summarize. All texts are redacted. */
export interface DraftInput extends Pick<PromptInput, 'template' | 'budgetTokens' | 'focusTopic' | 'memoryContext'> {
  readonly source: Source;
  /** Indices of messages whose text the summary carries verbatim. */
  readonly pins: readonly number[];
}

/** Calls one summarizer for one draft, counts the calls and reads the answers. */
export class SummarizerCalls {
  readonly summarizer: Summarizer;
  readonly input: DraftInput;
  readonly context: CallContext;
  #modelCalls = 0;

  constructor(summarizer: Summarizer, input: DraftInput, context: CallContext) {
    this.summarizer = summarizer;
    this.input = input;
    this.context = context;
  }

  /** Calls of a model so far. */
  get modelCalls(): number {
    return this.#modelCalls;
  }

  countText(text: string): number {
    return this.context.host.tokens.countText(text);
  }

  /**
   * Sends one prompt. Never rejects.
   * @param instruction the prompt without the turns, for a model that already has them
   */
  async ask(prompt: string, previousSummary: string | null, instruction?: string): Promise<SummaryAnswer> {
    const { source, template, budgetTokens, focusTopic, pins } = this.input;
    const { offline } = this.summarizer;
    if (!offline && !this.context.signal?.aborted) this.#modelCalls++;
    const outcome = await callSummarizer(
      this.summarizer,
      {
        prompt,
        ...(instruction === undefined ? {} : { instruction }),
        budgetTokens,
        material: { ...summaryMaterial(source, template, focusTopic, pins), previousSummary },
      },
      this.context,
    );
    if ('failure' in outcome) return outcome;
    const { finishReason, text: given, lines = [], hasRecord, writer } = outcome.response ?? {};
    const text = storable(typeof given === 'string' ? given : '');
    // An offline writer quotes the turns, so tags that look like a model's reasoning belong to its text.
    if (offline && finishReason === 'stop' && text.trim()) return { text, lines, hasRecord };
    const answer = readAnswer(
      { text, finishReason },
      {
        template,
        countText: (any) => this.countText(any),
        sourceTokens: offline ? Number.POSITIVE_INFINITY : source.tokens,
      },
    );
    return 'failure' in answer ? answer : { ...answer, writer };
  }
}
