import { type Applied, apply, type Edit, type Message } from '@palimpsest/core';
import type { EngineReplay, ReplayRun } from './replay.ts';

/** The prompt of one request of a replay, and the outcome of every recorded message up to it. */
export interface PromptAt extends Applied<Message> {
  /** The recorded messages up to the request. */
  readonly recorded: readonly Message[];
  /** The edits of all compactions up to the request, relative to `recorded`. */
  readonly edits: readonly Edit[];
  /** Number of compactions up to the request. */
  readonly compactions: number;
  /** How many of them have a page that a model wrote. */
  readonly pages: number;
}

/** @param turn index of the request */
export function promptAt(messages: readonly Message[], { figures, plans }: ReplayRun, turn: number): PromptAt {
  const recorded = messages.slice(0, figures.answeredBy[turn]);
  const past = figures.compactions.filter((compaction) => compaction.turn <= turn);
  return readPrompt(recorded, past, plans[past.length - 1]);
}

/** The prompt after the whole session, as the next request would begin. */
export function promptAtEnd(messages: readonly Message[], { figures, plans }: ReplayRun): PromptAt {
  return readPrompt(messages, figures.compactions, plans.at(-1));
}

function readPrompt(
  recorded: readonly Message[],
  compactions: EngineReplay['compactions'],
  edits: readonly Edit[] = [],
): PromptAt {
  const pages = compactions.filter(({ page }) => page).length;
  return { ...apply(recorded, edits), recorded, edits, compactions: compactions.length, pages };
}
