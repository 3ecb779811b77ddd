import type { SummaryTemplate } from '@palimpsest/core';
import { compactionTemplate, handoffTemplate, resumptionTemplate } from '@palimpsest/summary';

/** The name of a built-in template, as options state it. */
export type TemplateName = 'handoff' | 'compaction' | 'resumption';

/** The built-in templates of a summary, by name. */
export const summaryTemplates: Readonly<Record<TemplateName, SummaryTemplate>> = {
  handoff: handoffTemplate,
  compaction: compactionTemplate,
  resumption: resumptionTemplate,
};
