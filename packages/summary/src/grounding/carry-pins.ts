import { contentText } from '@palimpsest/core';
import type { Source } from '../source/gather-source.ts';
import { fenced } from '../template/fence.ts';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { appended, type Grounded, type GroundTruth } from './grounded.ts';

/** Before each pinned text, so that the next pass finds it again. */
const label = 'Pinned, word for word:';

/** Carries the text of pinned messages verbatim, fenced, behind the section for exact values; once. */
export function carryPins(grounded: Grounded, truth: GroundTruth, pins: readonly number[], source: Source): Grounded {
  const wanted = new Set(pins);
  const index = truth.roles.place('context');
  let { sections } = grounded;
  for (const { index: at, message } of source.messages) {
    const text = contentText(message.content).trim();
    if (!wanted.has(at) || text === '' || sections.some((section) => section.includes(text))) continue;
    sections = appended(sections, index, `${label}\n${fenced(text)}`, truth.template);
  }
  // Pins of earlier passes live on in the summary so far only.
  for (const block of pinnedBlocks(truth.previous.sections[index] ?? ''))
    if (!sections.some((section) => section.includes(block)))
      sections = appended(sections, index, `${label}\n${block}`, truth.template);
  return { ...grounded, sections };
}

/** The fenced blocks that follow a pin label. A label inside a quotation does not count. */
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
