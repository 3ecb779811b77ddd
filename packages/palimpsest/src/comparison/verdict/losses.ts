import { count } from '@palimpsest/command-line/count';
import type { Share } from '../../measuring/kept.ts';
import type { EngineRow } from '../../measuring/run-engine.ts';
import { joinWords, type Words, word, words } from './words.ts';

type Row = Pick<EngineRow, 'engine' | 'kept' | 'taskKept'>;

/** The number of lost names to list. */
const maxNames = 2;

/** What each engine loses; nothing if several engines lose nothing. */
export function lossSentences(rows: readonly Row[]): readonly Words[] {
  const losses = rows.map((row) => lossesOf(row));
  if (rows.length > 1 && losses.every((lost) => lost.length === 0)) return [];
  const whole = rows.length > 1 ? 'keeps all of them' : 'keeps every message of the user, changed file and exact name';
  const clauses = rows.map(({ engine }, at) => {
    const lost = losses[at]!;
    return words`${word('engine', engine)} ${lost.length > 0 ? words`loses ${joinWords(lost)}` : whole}`;
  });
  const sentence = words`${joinWords(clauses, '; ', '; ')}.`;
  return losses.some((lost) => lost.length > 0)
    ? [sentence, words`The agent can look up what is lost with its tool recall.`]
    : [sentence];
}

function lossesOf({ kept, taskKept }: Row): readonly Words[] {
  const { userMessages, changedFiles, names } = kept;
  const gone = new Set(changedFiles.lost);
  return [
    ...(taskKept === false ? [word('bad', 'the task')] : []),
    // A single message of the user is the task.
    ...(userMessages.of < 2 ? [] : describeLoss(userMessages, 'user message', [])),
    ...describeLoss(changedFiles, 'changed file', changedFiles.lost),
    ...describeLoss(
      names,
      'exact name',
      names.lost.filter((name) => !gone.has(name)),
    ),
  ];
}

/** `2 of the 14 changed files (src/a.ts and src/b.ts)`; nothing if nothing is lost. */
function describeLoss({ kept, of }: Share, noun: string, names: readonly string[]): readonly Words[] {
  if (kept >= of) return [];
  const shown = names.slice(0, maxNames).map((name) => word('name', name));
  const more = of - kept - shown.length;
  const list = more > 0 ? [...shown, words`${count(more)} more`] : shown;
  const nouns = noun === 'exact name' ? word('term', 'exact names') : `${noun}s`;
  const lost = of === 1 ? words`the ${noun}` : words`${count(of - kept)} of the ${count(of)} ${nouns}`;
  return [shown.length === 0 ? lost : words`${lost} (${joinWords(list)})`];
}
