import type { Message } from '@palimpsest/core';
import { Transcript, writeHandoff } from '@palimpsest/core/authoring';
import { writeSummary } from '@palimpsest/summary';
import { replaying } from './calls/trajectory-calls.ts';
import type { TurnRange } from './choose-region.ts';
import type { TurnMessages } from './row/turn-format.ts';
import type { Workshop } from './workshop.ts';

/** What a summary is written of, and how large it may be. */
export interface SummaryOrder {
  readonly read: TurnMessages;
  /** Exact tokens of each turn. */
  readonly tokens: readonly number[];
  readonly region: TurnRange;
  /** Tokens to aim at, frame included. */
  readonly aimTokens: number;
  /** Tokens above which it is asked for again, shorter. */
  readonly mostTokens: number;
  /** Exact tokens of a turn of the human with this text. */
  readonly countTurn: (text: string) => number;
  readonly signal?: AbortSignal | undefined;
}

export type WrittenSummary =
  | { readonly text: string; readonly tokens: number }
  | { readonly failure: { readonly class: string; readonly message: string } };

/** A model may miss its budget; its answer is then shortened at most this often, without another call. */
const attempts = 3;
/** Budgets are kept by estimates, which are a few percent off. */
const caution = 0.96;
/** A writer has no use for less. */
const leastBudget = 60;

/**
 * Has the region written up as a handoff. The writer sees the turns up to the end of the region and none behind it: a
 * model that learns from the trajectory must not read there what it cannot know yet.
 */
export async function writeSummaryTurn(
  order: SummaryOrder,
  workshop: Workshop,
  calls: ReturnType<Workshop['openCalls']>,
): Promise<WrittenSummary> {
  const { read, region } = order;
  const end = firstOf(read.turnOf, region.to);
  const messages = read.messages.slice(0, end);
  const sources = messages.map((_, index) => index).slice(firstOf(read.turnOf, region.from));
  const summarizer = calls === null ? undefined : replaying(calls.summarizer);
  const host = workshop.host(knownTokens(messages, order), summarizer);
  const transcript = Transcript.of(messages, host.tokens, host);
  let aim = order.aimTokens * caution;
  for (let attempt = 1; ; attempt++) {
    summarizer?.rewind();
    const result = await writeSummary(
      {
        transcript,
        sources,
        previousSummary: null,
        template: workshop.template,
        budgetTokens: Math.max(leastBudget, Math.floor(aim - workshop.frameTokens)),
        engine: 'trajectory',
        effort: 'full',
        abortOnFailure: true,
        signal: order.signal,
        // The desk keeps the time, from when a call goes out.
        timeoutMs: longestTimer,
      },
      host,
    );
    if (result.kind === 'aborted') {
      const { class: name, message } = result.failure;
      return { failure: { class: name, message } };
    }
    const text = writeHandoff(result.body);
    const tokens = order.countTurn(text);
    if (tokens <= order.mostTokens || attempt === attempts) return { text, tokens };
    aim -= (tokens - order.mostTokens) * (1 + attempt / 4);
  }
}

/** The longest a timer of JavaScript can run, in milliseconds. */
const longestTimer = 2_147_483_647;

/** Index of the first message that belongs to a turn or a later one. */
function firstOf(turnOf: readonly number[], turn: number): number {
  const found = turnOf.findIndex((one) => one >= turn);
  return found === -1 ? turnOf.length : found;
}

/** A turn's tokens belong to the first of its messages. */
function knownTokens(messages: readonly Message[], { read, tokens }: SummaryOrder): Map<Message, number> {
  const known = new Map<Message, number>();
  for (const [index, message] of messages.entries()) {
    const turn = read.turnOf[index]!;
    known.set(message, turn === read.turnOf[index - 1] ? 0 : tokens[turn]!);
  }
  return known;
}
