import { identifiersOf } from '@palimpsest/pruner/salience';
import { listed, readNumbered } from '../template/numbered-list.ts';
import { sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { contentWords, overlap } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { withoutSummaryMark } from './rule-item.ts';

/** Share of common words from which two texts count as being about the same thing. */
const same = 0.5;

/**
 * Restores what an updated summary lost: finished actions with their numbers, and decisions and files of the previous
 * summary that no line of the new one mentions. New actions continue the numbering.
 */
export function carryHistory(grounded: Grounded, truth: GroundTruth): Grounded {
  if (truth.source.previousSummary === null) return grounded;
  return (['decisions', 'files'] as const).reduce(
    (current, role) => restoreLost(current, truth, role),
    continueNumbers(grounded, truth),
  );
}

/** Rewrites the list of actions: earlier actions, including lost ones, with their numbers, then the new actions. */
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
      ...(renumbered > 0 ? ['The summary renumbered finished actions; the old numbering was continued instead.'] : []),
      ...(lost.length > 0 ? [`The summary had lost ${counted(lost.length, 'finished action')}; restored.`] : []),
    ],
  };
}

/** Restores items in a section of the previous summary that the new summary does not mention. */
function restoreLost(grounded: Grounded, { template, roles, previous }: GroundTruth, role: SectionRole): Grounded {
  const { sections, warnings } = grounded;
  const index = roles.own(role);
  if (index < 0) return grounded;
  // A decision may be mentioned in any section, but the list of files has to be complete.
  const searched = role === 'files' ? [sectionText(sections, index, template)] : sections;
  const wordsOf = (item: string): Set<string> => contentWords(withoutSummaryMark(item));
  const known = searched.flatMap(sectionItems).map(wordsOf);
  const lost = sectionItems(sectionText(previous.sections, index, template)).filter((item) => {
    const words = wordsOf(item);
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
      `The summary had lost ${counted(lost.length, 'entry', 'entries')} of "${template.sections[index]!.heading}"; restored.`,
    ],
  };
}

function alike(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return overlap(words, others) >= same;
}

/**
 * True if two lines describe the same action. Compares exact names, without tool names, or words if a line has no
 * names.
 */
function sameAction(text: string, other: string): boolean {
  const [own, others] = [text, other].map((line) => line.replace(/\s*\[tool: [^\]]*\]\s*$/, ''));
  const [names, otherNames] = [own!, others!].map(
    (line) => new Set(identifiersOf(line).filter((name) => !/^[A-Z]+$/.test(name))),
  );
  const words = overlap(contentWords(own!), contentWords(others!));
  if (names!.size === 0 || otherNames!.size === 0) return words >= same;
  return words >= same / 2 && overlap(names!, otherNames!) >= same && overlap(otherNames!, names!) >= same;
}
