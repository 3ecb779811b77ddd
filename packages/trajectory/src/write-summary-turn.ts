import type { Message } from '@palimpsest/core';
import { Transcript, writeHandoff } from '@palimpsest/core/authoring';
import { compactionTemplate, writeSummary } from '@palimpsest/summary';
import type { TrajectoryCalls } from './calls.ts';
import type { TurnRange } from './choose-region.ts';
import type { TrajectoryContext } from './context.ts';
import type { TurnMessages } from './row/turn-format.ts';

/** The turns to summarize, and the size of the summary. */
export interface SummaryTurnInput {
  readonly read: TurnMessages;
  /** Exact tokens of each turn. */
  readonly tokens: readonly number[];
  readonly region: TurnRange;
  /** Target size with its frame, in tokens. */
  readonly wantedTokens: number;
  /** A summary with more tokens is written again, shorter, up to {@link maxAttempts} times in all. */
  readonly maxTokens: number;
  /** Counts the exact tokens of a human turn with this text. */
  readonly countTurn: (text: string) => number;
  readonly signal?: AbortSignal | undefined;
}

/** The text of a handoff, or why it could not be written. */
export type WrittenSummary =
  | { readonly text: string; readonly tokens: number }
  | { readonly failure: { readonly class: string; readonly message: string } };

/** Maximum attempts to write a summary within its budget. Later attempts reuse the model's answers. */
const maxAttempts = 3;
/** Share of the budget to use, because the estimates are a few percent off. */
const margin = 0.96;
/** Smallest useful budget of a summary, in tokens. */
const minBudget = 60;

/**
 * Writes a handoff of the region. The summarizer sees no turns after the region, so that the handoff does not reveal
 * later turns to a model that is trained on the trajectory.
 */
export async function writeSummaryTurn(
  order: SummaryTurnInput,
  context: TrajectoryContext,
  calls: TrajectoryCalls | null,
): Promise<WrittenSummary> {
  const { read, region } = order;
  const messages = read.messages.filter((_, index) => read.turnOf[index]! < region.to);
  const sources = [...messages.keys()].filter((index) => read.turnOf[index]! >= region.from);
  const host = context.host(assignTokens(messages, order), calls?.summarizer);
  const transcript = Transcript.of(messages, host.tokens, host);
  let target = order.wantedTokens * margin;
  for (let attempt = 1; ; attempt++) {
    calls?.rewind();
    const result = await writeSummary(
      {
        transcript,
        sources,
        previousSummary: null,
        template: compactionTemplate,
        budgetTokens: Math.max(minBudget, Math.floor(target - context.frameTokens)),
        engine: 'trajectory',
        effort: 'full',
        abortOnFailure: true,
        signal: order.signal,
        // The calls enforce the timeouts themselves, starting when a call is made.
        timeoutMs: maxTimerMs,
      },
      host,
    );
    if (result.kind === 'aborted') {
      const { class: name, message } = result.failure;
      return { failure: { class: name, message } };
    }
    const text = writeHandoff(result.body);
    const tokens = order.countTurn(text);
    if (tokens <= order.maxTokens || attempt === maxAttempts) return { text, tokens };
    target -= (tokens - order.maxTokens) * (1 + attempt / 4);
  }
}

/** The longest delay of a JavaScript timer, in milliseconds. */
const maxTimerMs = 2_147_483_647;

/** Assigns a turn's tokens to its first message, and 0 to its other messages. */
function assignTokens(messages: readonly Message[], { read, tokens }: SummaryTurnInput): Map<Message, number> {
  const { turnOf } = read;
  return new Map(
    messages.map((message, index) => [message, turnOf[index] === turnOf[index - 1] ? 0 : tokens[turnOf[index]!]!]),
  );
}
