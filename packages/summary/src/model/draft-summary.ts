import { contentText, type Summarizer, type SummaryLine } from '@palimpsest/core';
import { startOf } from '@palimpsest/pruner/salience';
import { serializeMessages } from '../prompt/serialize-messages.ts';
import { writeInstruction, writePrompt } from '../prompt/write-prompt.ts';
import type { CallContext } from './call-summarizer.ts';
import { PieceQueue, type SourcePiece } from './piece-queue.ts';
import type { SummaryAnswer } from './read-answer.ts';
import { type DraftInput, SummarizerCalls } from './summarizer-calls.ts';
import { ownFailure, type SummaryFailure } from './summary-failure.ts';

/** The text that one summarizer wrote, or why it failed. */
export type SummaryDraft = { readonly modelCalls: number } & (
  | {
      readonly text: string;
      /** Who wrote it, if the summarizer asked another one. */
      readonly writer?: string | undefined;
      /** From an offline writer: the lines whose source is known. */
      readonly lines?: readonly SummaryLine[];
      /** True if the text is a whole handoff. */
      readonly hasRecord?: boolean | undefined;
      readonly warnings: readonly string[];
    }
  | { readonly failure: SummaryFailure }
);

/** Share of a context window that estimated tokens may fill. The rest allows for estimation errors. */
const safety = 0.9;
/** Minimum size of a part; a prompt with a smaller one would be mostly instructions. Tokens. */
const minPartTokens = 500;
/** Factor by which an answer may be longer than requested. */
const maxLengthRatio = 1.5;

/**
 * Gets a summary from one summarizer. A model with a small context window gets the turns in parts, and each answer
 * updates the summary of the earlier parts. If a part overflows the window, smaller parts are tried. Never rejects.
 */
export async function draftSummary(
  summarizer: Summarizer,
  input: DraftInput,
  context: CallContext,
): Promise<SummaryDraft> {
  const calls = new SummarizerCalls(summarizer, input, context);
  const answer = summarizer.offline ? await calls.ask('', input.source.previousSummary) : await draftInParts(calls);
  const { modelCalls } = calls;
  return 'failure' in answer ? { modelCalls, failure: answer.failure } : { modelCalls, warnings: [], ...answer };
}

/** The answer for the last part, which covers all parts. */
type PartsAnswer = SummaryAnswer & { readonly warnings?: readonly string[] };

async function draftInParts(calls: SummarizerCalls): Promise<PartsAnswer> {
  const { summarizer, input, context } = calls;
  const { texts, closesBlocks } = serializeMessages(input.source.messages);
  const queue = queueOfPieces(calls, texts);
  let summary = input.source.previousSummary;
  let largest = Number.POSITIVE_INFINITY;
  let number = 1;
  for (;;) {
    // The summary grows with every part, which leaves less room for turns.
    const limit = Math.min(largest, roomForPieces(calls, summary));
    if (limit < minPartTokens)
      return toFailure('overflow', `its window of ${summarizer.contextLength} tokens is too small`);
    const pieces = queue.take(limit);
    const last = queue.isEmpty;
    const prompt = writePrompt({
      ...input,
      previousSummary: summary,
      pieces: pieces.map(({ text }) => text),
      closesBlocks,
      now: context.host.clock.now(),
      part: last && number === 1 ? null : { number, last },
    });
    const instruction = last && number === 1 ? instructionFor(calls, summary) : undefined;
    const answer = await calls.ask(prompt, summary, instruction);
    if ('failure' in answer) {
      const half = Math.floor(Math.min(limit, sum(pieces)) / 2);
      if (answer.failure.class !== 'overflow' || half < minPartTokens) return answer;
      largest = half;
      queue.putBack(pieces);
      continue;
    }
    summary = context.host.redact(answer.text);
    number++;
    if (!last) continue;
    const overflowed = largest < Number.POSITIVE_INFINITY;
    const warning = 'The turns overflowed the context window of the summarizer and were sent in smaller parts.';
    return { text: summary, writer: answer.writer, warnings: overflowed ? [warning] : [] };
  }
}

/** Maximum and preferred minimum length of the quotation from the messages that stay, in characters. */
const maxTailLength = 200;
const minTailLength = 40;

/** The prompt for a model that already has the conversation. */
function instructionFor({ input, context }: SummarizerCalls, previousSummary: string | null): string {
  const texts = input.source.shown.kept.after.messages.map(({ content }) => contentText(content).trim());
  const said = texts.filter((text) => text !== '');
  // A short text such as "Done." does not identify where the tail starts.
  const tail = said.find((text) => text.length >= minTailLength) ?? said[0];
  const quotation = tail === undefined ? null : startOf(tail, maxTailLength);
  return writeInstruction({ ...input, previousSummary, now: context.host.clock.now() }, quotation);
}

function queueOfPieces(calls: SummarizerCalls, texts: readonly string[]): PieceQueue {
  const { messages } = calls.input.source;
  // Without a known context window, nothing has to fit, so the transcript's counts are good enough.
  const exact = calls.summarizer.contextLength !== undefined;
  const countText = (text: string): number => calls.countText(text);
  const pieces = texts.map((text, index) => ({
    text,
    tokens: exact ? countText(text) + 2 : messages[index]!.tokens,
  }));
  return new PieceQueue(pieces, countText);
}

/** The tokens of turns that fit into one request next to the instructions, the summary so far and the answer. */
function roomForPieces(calls: SummarizerCalls, summary: string | null): number {
  const { summarizer, input } = calls;
  if (summarizer.contextLength === undefined) return Number.POSITIVE_INFINITY;
  const part = { number: 1, last: false };
  const instructions = calls.countText(
    writePrompt({ ...input, previousSummary: '', pieces: [], closesBlocks: false, now: 0, part }),
  );
  const record = Math.max(input.budgetTokens, summary === null ? 0 : calls.countText(summary));
  return Math.floor(summarizer.contextLength * safety - instructions - record - record * maxLengthRatio);
}

function sum(pieces: readonly SourcePiece[]): number {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

function toFailure(name: SummaryFailure['class'], reason: string): { readonly failure: SummaryFailure } {
  return { failure: ownFailure(name, reason) };
}
