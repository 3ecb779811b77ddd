import { contentText } from '@palimpsest/core';
import type { Source } from '../source/source.ts';
import { fenced } from '../template/fence.ts';
import { appended, type Grounded, type GroundTruth } from './grounding.ts';

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

/** The fenced blocks that stand under a pin's label. */
export function pinnedBlocks(section: string): string[] {
  const blocks: string[] = [];
  const lines = section.split('\n');
  for (let at = 0; at < lines.length - 1; at++) {
    if (lines[at] !== label || !/^`{3,}$/.test(lines[at + 1]!)) continue;
    const end = lines.indexOf(lines[at + 1]!, at + 2);
    if (end === -1) break;
    blocks.push(lines.slice(at + 1, end + 1).join('\n'));
    at = end;
  }
  return blocks;
}
