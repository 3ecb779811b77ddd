import type { TurnLines } from '@palimpsest/salience';
import { sentencesOf } from '../text/sentences.ts';

/** Words that introduce a decision or its reason, in several languages. */
const deciding: RegExp = new RegExp(
  [
    String.raw`(?<!\p{L})(?:decided?|decision|because|instead of|rather than|chose|choose|going with|let['\u2019]?s (?:use|go with|keep)|we(?:['\u2019]ll| will) (?:use|go|keep)|i(?:['\u2019]ll| will) (?:use|go with|keep)|so that|the reason|trade.?off|root cause|turns out|the (?:problem|issue|bug|fix|solution) (?:is|was))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:weil|statt|entschieden|entscheidung|deshalb|daher|parce que|plut\u00f4t que|d\u00e9cid\u00e9|porque|en lugar de|decidid[oa]|perch\u00e9|invece di|pois|em vez de)(?!\p{L})`,
    '\u0440\u0435\u0448\u0438\u043b|\u043f\u043e\u0442\u043e\u043c\u0443 \u0447\u0442\u043e|\u306e\u3067|\u305f\u3081|\u65b9\u91dd|\u6c7a\u5b9a|\u4ee3\u308f\u308a\u306b|\u539f\u56e0|\u56e0\u4e3a|\u51b3\u5b9a|\u800c\u4e0d\u662f|\u6539\u7528|\u540c\u610f|\uacb0\uc815|\ub54c\ubb38\uc5d0',
  ].join('|'),
  'iu',
);

/** Longer lines are documents, not statements. Characters. */
const longestLine = 2_000;
const shortestSentence = 20;
const longestSentence = 400;

/** A sentence that states a decision or the reason for one, verbatim. */
export interface DecisionSentence {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
}

/** The sentences in which the user or the agent states a decision or gives a reason, verbatim and in order. */
export function decisionSentences({ lines }: TurnLines): DecisionSentence[] {
  const found: DecisionSentence[] = [];
  for (const { kind, text: line, at: index } of lines) {
    if ((kind !== 'agent' && kind !== 'user') || line.length > longestLine) continue;
    for (const text of sentencesOf(line))
      if (text.length >= shortestSentence && text.length <= longestSentence && deciding.test(text))
        found.push({ index, text });
  }
  return found;
}
