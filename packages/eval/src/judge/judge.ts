import { createHash } from 'node:crypto';
import { type Message, PalimpsestError, type Summarizer, type Usage } from '@palimpsest/core';
import { handoffTemplate } from '@palimpsest/summary';
import { createTokenCounter, estimateTokens } from '@palimpsest/tokens';
import type { Cut } from '../transcripts/cuts.ts';
import type { JudgeCache } from './judge-cache.ts';
import {
  answerPrompt,
  gradePrompt,
  type Question,
  questionPrompt,
  readAnswers,
  readGrades,
  readQuestions,
} from './prompts.ts';
import { renderTranscript } from './render.ts';

/** Prices of the judge's model, in dollars per million tokens. */
export interface JudgePrices {
  readonly input: number;
  readonly output: number;
}

/** Options of {@link createJudge}. */
export interface JudgeOptions {
  /** The model, as for summaries: `openaiSummarizer`, `anthropicSummarizer` or your own. */
  readonly model: Summarizer;
  readonly prices: JudgePrices;
  /** The most that calls may cost, in dollars. Nothing is asked that could cost more. */
  readonly budgetDollars: number;
  /** Number of questions for each transcript. @default 6 */
  readonly questions?: number | undefined;
  /** Largest part of an original that the model reads, in tokens. The middle of a longer one is left out. @default 100_000 */
  readonly largestOriginal?: number | undefined;
  /** Answers of the model, by a hash of model and prompt. @default none */
  readonly cache?: JudgeCache | undefined;
  /** Called once, before the first call, with the most that this run can cost. */
  readonly onPlan?: ((plan: JudgePlan) => void) | undefined;
}

/** What a run can cost at most, if nothing is cached. */
export interface JudgePlan {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
}

/** What a run has cost. Cached answers cost nothing. */
export interface JudgeCost {
  readonly model: string;
  readonly calls: number;
  readonly cachedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
}

/** Number of questions, and of those that were answered correctly. */
export interface JudgeScore {
  readonly asked: number;
  readonly correct: number;
}

/** A model that asks questions about an original, answers them from an output, and grades the answers. */
export interface Judge {
  /** Computes what a run can cost. @throws {PalimpsestError} `JUDGE_BUDGET_EXCEEDED` */
  plan(cuts: readonly Cut[], compactors: number, budgets: readonly number[]): JudgePlan;
  /**
   * Asks questions about the past of a cut, and counts the answers that an output gives correctly.
   * @throws {PalimpsestError} `JUDGE_BUDGET_EXCEEDED`, `JUDGE_FAILED`, and the errors of the model
   */
  score(cut: Cut, output: readonly Message[], signal?: AbortSignal): Promise<JudgeScore>;
  cost(): JudgeCost;
}

/** Tokens of the instructions of a call, of a question with its answer, and of a grade. Upper bounds, for the plan. */
const sizes = { instructions: 400, question: 120, answer: 80, grade: 10, reasoning: 2_000 } as const;
/** Estimated tokens may be too few by this factor. */
const margin = 1.15;
/** How often a model is asked again whose answer cannot be read. */
const attempts = 2;

/**
 * Creates a judge. For the last cut of each transcript, the model writes questions and answers from the original; then it
 * answers the questions from each output, without the original, and grades the answers, without either. Prompts are masked
 * by the redactor. A judge costs money and has opinions: read its column beside the others.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function createJudge(options: JudgeOptions): Judge {
  return new ModelJudge(options);
}

class ModelJudge implements Judge {
  readonly #options: JudgeOptions;
  readonly #count: number;
  readonly #largest: number;
  readonly #counter = createTokenCounter();
  readonly #questions = new Map<Cut, Promise<readonly Question[]>>();
  #spent = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, dollars: 0 };

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#count = options.questions ?? 6;
    this.#largest = options.largestOriginal ?? 100_000;
  }

  plan(cuts: readonly Cut[], compactors: number, budgets: readonly number[]): JudgePlan {
    const count = this.#count;
    let [calls, inputTokens, outputTokens] = [0, 0, 0];
    const add = (input: number, output: number): void => {
      calls++;
      inputTokens += Math.ceil((input + sizes.instructions) * margin);
      outputTokens += output + sizes.reasoning;
    };
    for (const { tokens } of cuts) {
      add(Math.min(tokens, this.#largest), count * sizes.question);
      for (const budget of budgets)
        for (let at = 0; at < compactors; at++) {
          add(tokens * budget + count * sizes.question, count * sizes.answer);
          add(count * (sizes.question + sizes.answer), count * sizes.grade);
        }
    }
    const plan = { calls, inputTokens, outputTokens, dollars: this.#dollars(inputTokens, outputTokens) };
    this.#options.onPlan?.(plan);
    if (plan.dollars > this.#options.budgetDollars) throw this.#exceeded(plan.dollars, 'The judge could cost');
    return plan;
  }

  async score(cut: Cut, output: readonly Message[], signal?: AbortSignal): Promise<JudgeScore> {
    const questions = await this.#questionsOf(cut, signal);
    const asked = questions.length;
    const context = renderTranscript(output, Number.POSITIVE_INFINITY, this.#counter);
    const answers = await this.#ask(answerPrompt(context, questions), (text) => readAnswers(text, asked), signal);
    const grades = await this.#ask(gradePrompt(questions, answers), (text) => readGrades(text, asked), signal);
    return { asked, correct: grades.filter(Boolean).length };
  }

  cost(): JudgeCost {
    return { model: this.#options.model.id, ...this.#spent };
  }

  #questionsOf(cut: Cut, signal: AbortSignal | undefined): Promise<readonly Question[]> {
    let known = this.#questions.get(cut);
    if (!known) {
      const original = renderTranscript(cut.past, this.#largest, this.#counter);
      known = this.#ask(questionPrompt(original, this.#count), (text) => readQuestions(text, this.#count), signal);
      this.#questions.set(cut, known);
    }
    return known;
  }

  /** Asks the model, or takes its answer from the cache. Only answers that can be read are cached. */
  async #ask<Answer>(
    prompt: string,
    read: (text: string) => Answer | null,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const { model, cache } = this.#options;
    const key = createHash('sha256').update(`${model.id}\n${prompt}`).digest('hex');
    const cached = await cache?.get(key);
    const known = cached === undefined || cached === null ? null : read(cached);
    if (known !== null) {
      this.#spent.cachedCalls++;
      return known;
    }
    for (let attempt = 0; attempt < attempts; attempt++) {
      const text = await this.#call(prompt, signal);
      const answer = read(text);
      if (answer === null) continue;
      await cache?.set(key, text);
      return answer;
    }
    throw new PalimpsestError(
      'JUDGE_FAILED',
      `${model.id} gave ${attempts} answers that are not the JSON that was asked for. Choose another model; answers so far are cached.`,
      { model: model.id },
    );
  }

  async #call(prompt: string, signal: AbortSignal | undefined): Promise<string> {
    const { model, budgetDollars } = this.#options;
    const estimated = Math.ceil(estimateTokens(prompt) * margin);
    const worst = this.#spent.dollars + this.#dollars(estimated, sizes.reasoning + this.#count * sizes.question);
    if (worst > budgetDollars) throw this.#exceeded(worst, 'With its next call, the judge could have cost');
    const { text, usage } = await model.summarize({
      prompt,
      budgetTokens: this.#count * sizes.question,
      material: { messages: [], previousSummary: null, template: handoffTemplate, focusTopic: null },
      ...(signal ? { signal } : {}),
    });
    this.#pay(usage, estimated, text);
    return text;
  }

  #pay(usage: Usage | undefined, estimated: number, text: string): void {
    const inputTokens = usage?.promptTokens || estimated;
    const outputTokens = usage?.completionTokens || estimateTokens(text);
    const { calls, cachedCalls, ...sums } = this.#spent;
    this.#spent = {
      calls: calls + 1,
      cachedCalls,
      inputTokens: sums.inputTokens + inputTokens,
      outputTokens: sums.outputTokens + outputTokens,
      dollars: sums.dollars + this.#dollars(inputTokens, outputTokens),
    };
  }

  #dollars(inputTokens: number, outputTokens: number): number {
    const { input, output } = this.#options.prices;
    return (inputTokens * input + outputTokens * output) / 1e6;
  }

  #exceeded(dollars: number, what: string): PalimpsestError {
    const { budgetDollars, model } = this.#options;
    return new PalimpsestError(
      'JUDGE_BUDGET_EXCEEDED',
      `${what} $${dollars.toFixed(4)}, more than its budget of $${budgetDollars}. Raise the budget, use fewer transcripts, budgets or questions, or a cheaper model than ${model.id}; answers so far are cached.`,
      { dollars, budgetDollars, spentDollars: this.#spent.dollars },
    );
  }
}
