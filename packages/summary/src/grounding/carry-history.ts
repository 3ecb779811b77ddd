import { identifiersOf } from '@palimpsest/salience';
import { listed, readNumbered } from '../template/numbered-list.ts';
import { sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { contentWords, overlap } from './compare-words.ts';
import { type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';

/** Two texts with this share of words in common speak of the same thing. */
const same = 0.5;

/**
 * An update must not forget: finished actions keep their numbers and go on counting, and decisions and files of the
 * summary so far that no line of the new one speaks of are put back.
 */
export function carryHistory(grounded: Grounded, truth: GroundTruth): Grounded {
  if (truth.source.previousSummary === null) return grounded;
  return (['decisions', 'files'] as const).reduce(
    (current, role) => putBack(current, truth, role),
    continueNumbers(grounded, truth),
  );
}

/** The numbered list of actions with old numbers kept, lost items back, and new items counted on. */
function continueNumbers({ sections, warnings }: Grounded, { template, roles, previous }: GroundTruth): Grounded {
  const index = roles.own('actions');
  if (index < 0) return { sections, warnings };
  const old = readNumbered(sectionText(previous.sections, index, template)).filter((item) => item.number > 0);
  if (old.length === 0) return { sections, warnings };
  const byNumber = new Map(old.map((item, at) => [item.number, at]));
  const kept = new Map<number, string>();
  const fresh: string[] = [];
  let renumbered = 0;
  for (const item of readNumbered(sectionText(sections, index, template))) {
    const claimed = byNumber.get(item.number);
    const match =
      claimed !== undefined && sameAction(item.text, old[claimed]!.text)
        ? claimed
        : old.findIndex((known) => sameAction(item.text, known.text));
    if (match >= 0 && !kept.has(old[match]!.number)) kept.set(old[match]!.number, item.text);
    else {
      if (item.number > 0 && byNumber.has(item.number)) renumbered++;
      fresh.push(item.text);
    }
  }
  const lost = old.filter((item) => !kept.has(item.number));
  for (const item of lost) kept.set(item.number, item.text);
  let next = 1;
  for (const number of kept.keys()) next = Math.max(next, number + 1);
  const lines = [...kept].sort(([a], [b]) => a - b).map(([number, text]) => listed(`${number}.`, text));
  for (const text of fresh) lines.push(listed(`${next++}.`, text));
  return {
    sections: withSection(sections, index, lines.join('\n')),
    warnings: [
      ...warnings,
      ...(renumbered > 0 ? ['The summary counted finished actions anew; the numbering was continued instead.'] : []),
      ...(lost.length > 0
        ? [`The summary had lost ${lost.length} finished ${lost.length === 1 ? 'action' : 'actions'}; put back.`]
        : []),
    ],
  };
}

function putBack(grounded: Grounded, { template, roles, previous }: GroundTruth, role: SectionRole): Grounded {
  const { sections, warnings } = grounded;
  const index = roles.own(role);
  if (index < 0) return grounded;
  // A decision may be told anywhere; the list of files is only of use while it is whole.
  const told = role === 'files' ? [sectionText(sections, index, template)] : sections;
  const known = told.flatMap(sectionItems).map(contentWords);
  const lost = sectionItems(sectionText(previous.sections, index, template)).filter((item) => {
    const words = contentWords(item);
    return words.size > 0 && !known.some((other) => alike(words, other));
  });
  if (lost.length === 0) return grounded;
  return {
    sections: withSection(
      sections,
      index,
      [...lost, sectionText(sections, index, template)].filter(Boolean).join('\n'),
    ),
    warnings: [
      ...warnings,
      `The summary had lost ${lost.length} ${lost.length === 1 ? 'entry' : 'entries'} of "${template.sections[index]!.heading}"; put back.`,
    ],
  };
}

function alike(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return overlap(words, others) >= same;
}

/** True when two lines tell of the same action: the same exact names, or without any the same words. Tool names do not count. */
function sameAction(text: string, other: string): boolean {
  const [own, others] = [text, other].map((line) => line.replace(/\s*\[tool: [^\]]*\]\s*$/, ''));
  const [names, otherNames] = [own!, others!].map(
    (line) => new Set(identifiersOf(line).filter((name) => !/^[A-Z]+$/.test(name))),
  );
  const words = overlap(contentWords(own!), contentWords(others!));
  if (names!.size === 0 || otherNames!.size === 0) return words >= same;
  return words >= same / 2 && overlap(names!, otherNames!) >= same && overlap(otherNames!, names!) >= same;
}
