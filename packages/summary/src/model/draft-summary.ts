import type { Summarizer, SummaryTemplate } from '@palimpsest/core';
import { serializeMessages } from '../prompt/serialize-messages.ts';
import { writePrompt, writeRepairPrompt } from '../prompt/write-prompt.ts';
import type { Source } from '../source/gather-source.ts';
import { materialOf } from '../source/material.ts';
import { parseSummary } from '../template/parse-summary.ts';
import { type CallContext, callSummarizer } from './call-summarizer.ts';
import { type Failure, ownFailure } from './failure-class.ts';
import { isTranslated } from './language.ts';
import { type Answer, readAnswer, storable } from './read-answer.ts';
import { type Turn, TurnQueue } from './turn-queue.ts';

/** What is to be drafted, redacted already. */
export interface DraftRequest {
  readonly source: Source;
  readonly template: SummaryTemplate;
  readonly budgetTokens: number;
  readonly focusTopic: string | null;
  readonly memoryContext: string | null;
  /** What the user said, to tell the language by. */
  readonly userText: string;
}

export type Draft = { readonly modelCalls: number } & (
  | { readonly text: string; readonly warnings: readonly string[] }
  | { readonly failure: Failure }
);

/** Share of a summarizer's window that estimates may fill; the rest is for their error. */
const safety = 0.9;
/** A part smaller than this carries more instruction than turns: halving stops here. Tokens. */
const smallestPart = 500;

/**
 * Lets one summarizer write: the whole middle at once, or in parts where its window is smaller, each part updating the
 * summary so far. An overflow halves the parts and goes on. Missing headings are asked for once.
 */
export function draftSummary(summarizer: Summarizer, request: DraftRequest, context: CallContext): Promise<Draft> {
  const calls = new Calls(summarizer, request, context);
  return summarizer.offline ? draftOffline(calls) : draftInParts(calls);
}

/** The calls of one draft: counts them, and reads what comes back. */
class Calls {
  readonly summarizer: Summarizer;
  readonly request: DraftRequest;
  readonly context: CallContext;
  /** Calls of a model so far. */
  made = 0;

  constructor(summarizer: Summarizer, request: DraftRequest, context: CallContext) {
    this.summarizer = summarizer;
    this.request = request;
    this.context = context;
  }

  countText(text: string): number {
    return this.context.host.tokens.countText(text);
  }

  async ask(prompt: string, previousSummary: string | null): Promise<Answer> {
    const { source, template, budgetTokens, focusTopic } = this.request;
    if (!this.summarizer.offline && !this.context.signal?.aborted) this.made++;
    const outcome = await callSummarizer(
      this.summarizer,
      { prompt, budgetTokens, material: { ...materialOf(source, template, focusTopic), previousSummary } },
      this.context,
    );
    if ('failure' in outcome) return outcome;
    const { finishReason } = outcome.response ?? {};
    const given = outcome.response?.text;
    const text = storable(typeof given === 'string' ? given : '');
    // Rules quote: what looks like a model's reasoning in their text stood in the turns. And they keep their budget.
    if (this.summarizer.offline && finishReason === 'stop' && text.trim()) return { text };
    const sourceTokens = this.summarizer.offline ? Number.POSITIVE_INFINITY : source.tokens;
    const countText = (any: string): number => this.countText(any);
    return readAnswer({ text, finishReason }, { prompt, template, countText, sourceTokens });
  }

  failed(failure: Failure): Draft {
    return { modelCalls: this.made, failure };
  }
}

async function draftOffline(calls: Calls): Promise<Draft> {
  const answer = await calls.ask('', calls.request.source.previousSummary);
  return 'failure' in answer ? calls.failed(answer.failure) : { modelCalls: 0, text: answer.text, warnings: [] };
}

async function draftInParts(calls: Calls): Promise<Draft> {
  const { summarizer, request, context } = calls;
  const { host } = context;
  const { source } = request;
  // Without a window to fit into nothing has to be counted again.
  const counted = summarizer.contextLength !== undefined;
  const queue = new TurnQueue(
    serializeMessages(source.messages).map((text, index) => ({
      text,
      tokens: counted ? calls.countText(text) + 2 : source.messages[index]!.tokens,
    })),
    (text) => calls.countText(text),
  );
  let summary = source.previousSummary;
  let largest = Number.POSITIVE_INFINITY;
  for (let number = 1; ; number++) {
    // The record grows from part to part, so what fits beside it is worked out anew.
    const limit = Math.min(largest, partLimit(calls, summary));
    if (limit < smallestPart)
      return calls.failed(ownFailure('overflow', `its window of ${summarizer.contextLength} tokens is too small`));
    const part = queue.take(limit);
    const last = queue.isEmpty;
    const prompt = writePrompt({
      ...request,
      previousSummary: summary,
      turns: part.map(({ text }) => text),
      now: host.clock.now(),
      part: last && number === 1 ? null : { number, last },
    });
    const answer = await withHeadings(calls, prompt, summary);
    if ('failure' in answer) {
      const half = Math.floor(Math.min(limit, sum(part)) / 2);
      if (answer.failure.class !== 'overflow' || half < smallestPart) return calls.failed(answer.failure);
      largest = half;
      queue.putBack(part);
      number--;
      continue;
    }
    summary = host.redact(answer.text);
    if (!last) continue;
    if (isTranslated(request.userText, summary))
      return calls.failed(ownFailure('bad-output', 'the summary is not in the language of the user'));
    const halved = largest < Number.POSITIVE_INFINITY;
    const warnings = halved ? ['The turns overflowed the window of the summarizer and went in smaller parts.'] : [];
    return { modelCalls: calls.made, text: summary, warnings };
  }
}

/** Asks, and once more when headings are missing and the window has room for the question. */
async function withHeadings(calls: Calls, prompt: string, previousSummary: string | null): Promise<Answer> {
  const { template, budgetTokens } = calls.request;
  const missingIn = (text: string): readonly string[] => parseSummary(text, template).missing;
  let answer = await calls.ask(prompt, previousSummary);
  if ('failure' in answer) return answer;
  const missing = missingIn(answer.text);
  if (missing.length === 0) return answer;
  const repair = writeRepairPrompt(prompt, calls.context.host.redact(answer.text), missing);
  const window = (calls.summarizer.contextLength ?? Number.POSITIVE_INFINITY) * safety;
  if (calls.countText(repair) + budgetTokens < window) {
    const second = await calls.ask(repair, previousSummary);
    if ('failure' in second && second.failure.class === 'cancelled') return second;
    if ('text' in second && missingIn(second.text).length < missing.length) answer = second;
  }
  return missingIn(answer.text).length < template.sections.length
    ? answer
    : { failure: ownFailure('bad-output', 'the answer has none of the headings that were asked for') };
}

/** Tokens of turns that fit into one request beside the instructions, the summary so far and room for the answer. */
function partLimit(calls: Calls, summary: string | null): number {
  const { summarizer, request } = calls;
  if (summarizer.contextLength === undefined) return Number.POSITIVE_INFINITY;
  const frame = calls.countText(
    writePrompt({
      ...request,
      previousSummary: '',
      turns: [],
      now: 0,
      part: { number: 1, last: false },
    }),
  );
  const record = Math.max(request.budgetTokens, summary === null ? 0 : calls.countText(summary));
  // The record goes in and comes out; an answer may be half as long again as it was asked to be.
  return Math.floor(summarizer.contextLength * safety - frame - record - record * 1.5);
}

function sum(turns: readonly Turn[]): number {
  return turns.reduce((total, { tokens }) => total + tokens, 0);
}
