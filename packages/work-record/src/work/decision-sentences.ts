import type { TurnLines } from '@palimpsest/salience';
import { sentencesOf } from '../text/sentences.ts';
import { mayState, states } from './deciding-words.ts';

/** Longer lines are documents, not statements. Characters. */
const longestLine = 2_000;

/** A sentence that states a decision or the reason for one, verbatim. */
export interface DecisionSentence {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
  /** Who wrote it. */
  readonly by: 'user' | 'agent';
  /** The agent's question that the user's words answer, with the chosen option if it has a label; `null` if they answer none. */
  readonly question: string | null;
}

/** The sentences in which the agent states a decision or gives a reason, verbatim and in order. */
export function decisionSentences({ lines }: TurnLines): DecisionSentence[] {
  const found: DecisionSentence[] = [];
  let fencedIn = -1;
  for (const { kind, text: line, at: index } of lines) {
    if (kind !== 'agent' || line.length > longestLine) continue;
    if (/^\s*(?:```|~~~)/.test(line)) fencedIn = fencedIn === index ? -1 : index;
    if (fencedIn === index || /^\s*>/.test(line) || !mayState(line)) continue;
    for (const text of sentencesOf(line)) if (states(text)) found.push({ index, text, by: 'agent', question: null });
  }
  return found;
}
