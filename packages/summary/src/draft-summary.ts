import type { EngineHost, Summarizer, SummaryTemplate } from '@palimpsest/core';
import { chunkTurns, type Turn } from './chunk.ts';
import { type CallContext, callSummarizer } from './failure/call-summarizer.ts';
import { type Failure, ownFailure } from './failure/failure-class.ts';
import { isTranslated } from './grounding/language.ts';
import { readAnswer } from './prompt/answer.ts';
import { writePrompt, writeRepairPrompt } from './prompt/prompt.ts';
import { serializeMessages } from './source/serialize.ts';
import type { Source } from './source/source.ts';
import { parseSummary } from './template/parse-summary.ts';

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
export async function draftSummary(
  summarizer: Summarizer,
  request: DraftRequest,
  context: CallContext,
): Promise<Draft> {
  const { host } = context;
  const { source, template } = request;
  const perCall = summarizer.offline ? 0 : 1;
  // Rules keep their budget by themselves, and even an empty record has its headings.
  const mayHold = summarizer.offline ? Number.POSITIVE_INFINITY : source.tokens;
  let modelCalls = 0;
  const material = {
    messages: source.messages.map(({ message }) => message),
    template,
    focusTopic: request.focusTopic,
  };
  const turns: Turn[] = summarizer.offline
    ? []
    : serializeMessages(source.messages).map((text) => ({ text, tokens: host.tokens.countText(text) + 2 }));
  let summary = source.previousSummary;
  let limit = summarizer.offline ? Number.POSITIVE_INFINITY : partLimit(summarizer, request, host, summary);
  if (limit < smallestPart)
    return {
      modelCalls,
      failure: ownFailure('overflow', `its window of ${summarizer.contextLength} tokens is too small`),
    };
  let rest: readonly Turn[] = turns;
  const warnings: string[] = [];
  for (let number = 1; ; number++) {
    const [part = [], next] = chunkTurns(rest, limit, (text) => host.tokens.countText(text));
    const last = next === undefined;
    const prompt = summarizer.offline
      ? ''
      : writePrompt({
          template,
          previousSummary: summary,
          turns: part.map(({ text }) => text),
          budgetTokens: request.budgetTokens,
          now: host.clock.now(),
          focusTopic: request.focusTopic,
          memoryContext: request.memoryContext,
          part: last && number === 1 ? null : { number, last },
        });
    const ask = (text: string) => {
      if (!context.signal?.aborted) modelCalls += perCall;
      return callSummarizer(
        summarizer,
        { prompt: text, budgetTokens: request.budgetTokens, material: { ...material, previousSummary: summary } },
        context,
      );
    };
    const outcome = await ask(prompt);
    if ('failure' in outcome) {
      if (outcome.failure.class !== 'overflow') return { modelCalls, failure: outcome.failure };
      limit = Math.floor(Math.min(limit, sum(part)) / 2);
      if (limit < smallestPart || summarizer.offline) return { modelCalls, failure: outcome.failure };
      warnings.push('The turns overflowed the window of the summarizer and were summarized in smaller parts.');
      number--;
      continue;
    }
    const read = (response: Parameters<typeof readAnswer>[0]) =>
      readAnswer(response, template, (text) => host.tokens.countText(text), mayHold);
    let answer = read(outcome.response);
    if ('failure' in answer) return { modelCalls, failure: answer.failure };
    const missing = parseSummary(answer.text, template).missing;
    if (missing.length > 0 && !summarizer.offline) {
      const repaired = await ask(writeRepairPrompt(prompt, host.redact(answer.text), missing));
      if ('failure' in repaired && repaired.failure.class === 'cancelled')
        return { modelCalls, failure: repaired.failure };
      const second = 'response' in repaired ? read(repaired.response) : null;
      if (second && 'text' in second && parseSummary(second.text, template).missing.length < missing.length)
        answer = second;
      if (parseSummary(answer.text, template).missing.length === template.sections.length)
        return {
          modelCalls,
          failure: ownFailure('bad-output', 'the answer has none of the headings that were asked for'),
        };
    }
    if (last && !summarizer.offline && isTranslated(request.userText, answer.text))
      return { modelCalls, failure: ownFailure('bad-output', 'the summary is not in the language of the user') };
    summary = host.redact(answer.text);
    if (last) return { modelCalls, text: summary, warnings: [...new Set(warnings)] };
    const taken = part.length;
    rest = chunkTurns(rest, limit, (text) => host.tokens.countText(text))
      .flat()
      .slice(taken);
  }
}

/** Tokens of turns that fit into one request beside the instructions, the summary so far and room for the answer. */
function partLimit(summarizer: Summarizer, request: DraftRequest, host: EngineHost, summary: string | null): number {
  if (summarizer.contextLength === undefined) return Number.POSITIVE_INFINITY;
  const frame = host.tokens.countText(
    writePrompt({
      template: request.template,
      previousSummary: '',
      turns: [],
      budgetTokens: request.budgetTokens,
      now: 0,
      focusTopic: request.focusTopic,
      memoryContext: request.memoryContext,
      part: { number: 1, last: false },
    }),
  );
  const record = Math.max(request.budgetTokens, summary === null ? 0 : host.tokens.countText(summary));
  // The record goes in and comes out; an answer may be half as long again as it was asked to be.
  return Math.floor(summarizer.contextLength * safety - frame - record - record * 1.5);
}

function sum(turns: readonly Turn[]): number {
  return turns.reduce((total, { tokens }) => total + tokens, 0);
}
