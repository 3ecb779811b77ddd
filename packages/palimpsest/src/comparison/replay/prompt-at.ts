import { type Applied, apply, type Edit, type Message } from '@palimpsest/core';
import type { ReplayRun } from './replay.ts';

/** The prompt of one request of a replay, and the outcome of every recorded message up to it. */
export interface PromptAt extends Applied<Message> {
  /** The recorded messages up to the request. */
  readonly recorded: readonly Message[];
  /** The edits of all compactions up to the request, relative to `recorded`. */
  readonly edits: readonly Edit[];
  /** Number of compactions up to the request. */
  readonly compactions: number;
}

/** @param turn index of the request */
export function promptAt(messages: readonly Message[], { figures, plans }: ReplayRun, turn: number): PromptAt {
  const recorded = messages.slice(0, figures.answeredBy[turn]);
  const compactions = figures.compactions.filter((compaction) => compaction.turn <= turn).length;
  const edits = plans[compactions - 1] ?? [];
  return { ...apply(recorded, edits), recorded, edits, compactions };
}

/** The prompt after the whole session, as the next request would begin. */
export function promptAtEnd(messages: readonly Message[], { figures, plans }: ReplayRun): PromptAt {
  const edits = plans.at(-1) ?? [];
  return { ...apply(messages, edits), recorded: messages, edits, compactions: figures.compactions.length };
}
