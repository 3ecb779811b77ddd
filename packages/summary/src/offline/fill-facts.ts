import type { SummaryLine } from '@palimpsest/core';
import { startOf } from '@palimpsest/pruner/salience';
import { lookupLines } from '../record/list-lookups.ts';
import { listed } from '../template/numbered-list.ts';
import type { PreviousSections } from '../template/previous-sections.ts';
import { isWorkingState, type TurnFacts, unique } from './gather-facts.ts';
import type { SectionFiller } from './section-filler.ts';

/** Maximum share of the budget per section. Tuned on the development half of the bench. */
const shares = { state: 0.01, progress: 0.01, blocked: 0.02, answers: 0.01, asks: 0.02, lookups: 0.03 } as const;

/** Number of characters that identify an item or an answer. */
export const identifyingLength = 80;

/** Fills the less important sections, without repeating items of earlier sections. */
export function fillFacts(
  filler: SectionFiller,
  facts: TurnFacts,
  previous: PreviousSections,
  told: readonly string[],
): void {
  const all = told.join('\n');
  const isTold = (text: string): boolean => all.includes(startOf(text, identifyingLength));
  const list = (role: 'state' | 'progress' | 'blocked' | 'answers' | 'asks', given: readonly SummaryLine[]): void => {
    const items = unique(given.filter(({ text }) => !isTold(text)));
    filler.add(
      role,
      items.map(({ text }) => listed('-', text)),
      shares[role],
      (at) => items[at]!.from,
    );
  };
  const earlier = (texts: readonly string[]): SummaryLine[] => texts.map((text) => ({ text, from: [] }));
  list('state', facts.state.length > 0 ? facts.state : earlier(previous.items('state').filter(isWorkingState)));
  list('progress', facts.progress);
  list('blocked', facts.blocked);
  const answered = facts.answered.filter(({ answer }) => !isTold(answer));
  list('answers', [...answered, ...earlier(previous.items('answers'))]);
  list('asks', [...facts.asks, ...earlier(previous.userWords('asks'))]);
  const lookups = lookupLines(facts.lookups, filler.room(shares.lookups));
  filler.add(
    'files',
    lookups.map(({ text }) => text),
    1,
    (at) => lookups[at]!.from,
  );
}
