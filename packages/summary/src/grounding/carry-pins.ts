import { contentText } from '@palimpsest/core';
import { fenced } from '../template/fence.ts';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { appended, type Grounded, type GroundTruth } from './grounded.ts';

/** The line before each pinned text. The next pass finds the text by it. */
const label = 'Pinned, word for word:';

/** Adds the text of pinned messages to the section for context, verbatim in a fence. Each text is added once. */
export function carryPins(grounded: Grounded, truth: GroundTruth): Grounded {
  const wanted = new Set(truth.pins);
  const index = truth.roles.place('context');
  let { sections } = grounded;
  for (const { index: at, message } of truth.source.messages) {
    if (!wanted.has(at)) continue;
    const text = contentText(message.content).trim();
    if (text === '' || sections.some((section) => section.includes(text))) continue;
    sections = appended(sections, index, `${label}\n${fenced(text)}`, truth.template);
  }
  // Pins of earlier passes exist only in the previous summary.
  for (const block of pinnedBlocks(truth.previous.sections[index] ?? ''))
    if (!sections.some((section) => section.includes(block)))
      sections = appended(sections, index, `${label}\n${block}`, truth.template);
  return { ...grounded, sections };
}

/** The fenced blocks after a pin label. Labels inside quotations do not count. */
function pinnedBlocks(section: string): string[] {
  const items = sectionItems(section);
  return items.filter((_, at) => isPinned(items, at));
}

/** The section without its pinned texts and their labels. */
export function withoutPins(section: string): string {
  const items = sectionItems(section);
  return items.filter((_, at) => !isPinned(items, at) && !isPinned(items, at + 1)).join('\n');
}

function isPinned(items: readonly string[], at: number): boolean {
  return at > 0 && at < items.length && items[at - 1] === label && isFenced(items[at]!);
}
