import type { SummaryTemplate } from '@palimpsest/core';
import { oneLine } from '@palimpsest/pruner/salience';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { type NumberedItem, readNumbered } from './numbered-list.ts';
import type { ParsedSummary } from './parse-summary.ts';
import { plainItems } from './section-items.ts';
import { type RoleMap, roleMap, type SectionRole } from './section-role.ts';

/** The sections of the previous summary by their role. */
export class PreviousSections {
  readonly #previous: ParsedSummary;
  readonly #template: SummaryTemplate;
  readonly #roles: RoleMap;

  constructor(previous: ParsedSummary, template: SummaryTemplate) {
    this.#previous = previous;
    this.#template = template;
    this.#roles = roleMap(template);
  }

  /** The text of the section for a role; `''` if it is empty or the template has none. */
  text(role: SectionRole): string {
    const own = this.#roles.own(role);
    const text = own < 0 ? '' : (this.#previous.sections[own] ?? '').trim();
    return text === this.#template.sections[own]?.empty ? '' : text;
  }

  /** The list items, without marks, of the section for a role's content, which may be another role's section. */
  placed(role: SectionRole): string[] {
    const text = (this.#previous.sections[this.#roles.place(role)] ?? '').trim();
    return readNumbered(text).map((item) => item.text);
  }

  /** The list items of a role's section, with their numbers. */
  numbered(role: SectionRole): NumberedItem[] {
    return readNumbered(this.text(role));
  }

  /** The list items of a role's section, without marks. */
  items(role: SectionRole): string[] {
    return this.numbered(role).map(({ text }) => text);
  }

  /** The user's own words in a section, one item per line. Fenced quotations are not the user's words. */
  userWords(role: SectionRole): string[] {
    return plainItems(this.text(role)).map((item) => oneLine(withoutListMark(item)));
  }
}
