import { type Message, PalimpsestError, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { newestTokens } from '../compactors/baselines.ts';
import type { Compact, Compactor, ModelCall } from '../compactors/compactor.ts';
import { readMessage } from '../inputs/message-shape.ts';

/** The output of one compaction. */
export interface CompactorOutput extends WithinBudget {
  readonly output: readonly Message[];
  readonly calls: readonly ModelCall[];
}

/** A compactor with its name, as given to {@link evaluate}. */
export interface NamedCompactor extends Compactor {
  readonly name: string;
}

export const toNamedCompactor = (name: string, given: Compact | Compactor): NamedCompactor =>
  typeof given === 'function' ? { name, compact: given } : { ...given, name };

/** What the run of a compactor needs besides its input. */
interface RunContext {
  readonly counter: TokenCounter;
  /** Name of the transcript, for errors. */
  readonly transcript: string;
}

/**
 * Runs a compactor and checks its output.
 * @throws {PalimpsestError} `COMPACTOR_FAILED`
 */
export async function runCompactor(
  { name, compact }: NamedCompactor,
  messages: readonly Message[],
  budgetTokens: number,
  { counter, transcript }: RunContext,
): Promise<CompactorOutput> {
  try {
    const made = await compact(messages, budgetTokens, counter);
    const { messages: output, calls = [] } = isList(made) ? { messages: made } : (made ?? {});
    checkOutput(output);
    return { output, calls, ...withinBudget(output, budgetTokens, counter) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PalimpsestError(
      'COMPACTOR_FAILED',
      `The compactor "${name}" failed on "${transcript}" with a budget of ${budgetTokens} tokens: ${reason}`,
      { compactor: name, transcript, budgetTokens },
      { cause },
    );
  }
}

/** @throws if it is not an array of chat messages */
function checkOutput(output: readonly Message[] | undefined): asserts output is readonly Message[] {
  if (!Array.isArray(output)) throw new Error('its output is not an array of messages');
  for (const [index, message] of output.entries()) {
    const problem = readMessage(message);
    if (typeof problem === 'string') throw new Error(`message ${index} of its output ${problem}`);
  }
}

const isList = <Item, Other>(value: readonly Item[] | Other): value is readonly Item[] => Array.isArray(value);

/** Outputs up to this factor over their budget are measured unchanged, since compactors count tokens differently. */
export const tolerance = 1.01;

/** An output, and the part of it that fits the budget. */
interface WithinBudget {
  /** Tokens of the whole output. */
  readonly tokens: number;
  /** The whole output, or its newest messages that fit. Everything but validity is measured on it. */
  readonly fair: readonly Message[];
}

/** Removes the oldest messages of an output that is over its budget, as for every other compactor. */
export function withinBudget(output: readonly Message[], budgetTokens: number, counter: TokenCounter): WithinBudget {
  const { totalTokens: tokens } = Transcript.of(output, counter);
  return { tokens, fair: tokens > budgetTokens * tolerance ? newestTokens(output, budgetTokens, counter) : output };
}
