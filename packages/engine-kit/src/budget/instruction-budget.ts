import type { Budget } from '@palimpsest/core';
import { type LaterInstructions, laterInstructions, type Transcript } from '@palimpsest/core/authoring';

/** Maximum share of the usable window for the host's instructions after the system prompt. */
const shareOfWindow = 0.25;

/** Maximum tokens of the host's later instructions that stay whole when their turns are summarized. */
export function instructionBudget({ usableTokens }: Budget): number {
  return usableTokens > 0 ? Math.floor(usableTokens * shareOfWindow) : Infinity;
}

/** The host's later instructions that stay whole within the budget, and older copies of them. */
export function instructionsOf(transcript: Transcript, budget: Budget): LaterInstructions {
  return laterInstructions(transcript, instructionBudget(budget));
}
