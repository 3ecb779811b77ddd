import type { SummaryMaterial } from '@palimpsest/core';
import { composeHandoff, type WrittenHandoff } from '../handoff/compose.ts';
import { readHandoffRecord } from '../handoff/record.ts';

/** Writes a handoff without a model. The sources of lines are positions in the messages of the material. */
export function writeByRules(
  material: SummaryMaterial,
  budgetTokens: number,
  countText: (text: string) => number,
): WrittenHandoff {
  const record = readHandoffRecord(material, budgetTokens, false);
  const { template, focusTopic } = material;
  const { text, lines } = composeHandoff(record, { template, budgetTokens, countText, focusTopic });
  return { text, lines: record.material.positions(lines) };
}
