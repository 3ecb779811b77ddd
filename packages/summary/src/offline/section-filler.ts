import type { SummaryLine, SummaryTemplate } from '@palimpsest/core';
import { estimateTokens } from '@palimpsest/tokens';
import { formatSummary, formatWithin, isTight } from '../template/parse-summary.ts';
import { type RoleMap, roleMap, type SectionRole } from '../template/section-role.ts';

/** Tokens to leave free for estimation errors. */
const reserve = 8;

/** Fills the sections of a template within a budget of estimated tokens. */
export class SectionFiller {
  readonly template: SummaryTemplate;
  readonly roles: RoleMap;
  readonly budgetTokens: number;
  readonly #texts: string[][];
  readonly #lines: SummaryLine[][];
  #left: number;

  constructor(template: SummaryTemplate, budgetTokens: number) {
    this.template = template;
    this.roles = roleMap(template);
    this.budgetTokens = budgetTokens;
    this.#texts = template.sections.map(() => []);
    this.#lines = template.sections.map(() => []);
    const frame = estimateTokens(formatSummary([], template));
    this.#left = budgetTokens - (isTight(template, budgetTokens, estimateTokens) ? frame / 2 : frame) - reserve;
  }

  /** Tokens that are left of the budget. */
  get left(): number {
    return this.#left;
  }

  /** Tokens that a share of the whole budget may still use. */
  room(share: number): number {
    return Math.min(this.#left, this.budgetTokens * share);
  }

  /**
   * Adds items to the section for a role. Items that do not fit into the share of the budget are skipped.
   * @param from returns the indices of the messages that an item is about. @default unknown
   */
  add(role: SectionRole, items: readonly string[], share: number, from?: (at: number) => readonly number[]): void {
    let room = this.room(share);
    for (const [at, item] of items.entries()) {
      const cost = estimateTokens(item) + 2;
      if (cost > room) continue;
      const lines = from ? item.split('\n').map((text) => ({ text, from: from(at) })) : [];
      this.append(role, item, lines);
      room -= cost;
      this.#left -= cost;
    }
  }

  /** Deducts tokens from the budget for text that is appended later. */
  spend(tokens: number): void {
    this.#left -= tokens;
  }

  /**
   * Adds a text whose tokens were already deducted from the budget.
   * @param lines lines of the text whose source is known
   */
  append(role: SectionRole, text: string, lines: readonly SummaryLine[] = []): void {
    const place = this.roles.place(role);
    this.#texts[place]!.push(text);
    this.#lines[place]!.push(...lines);
  }

  /** The lines whose source is known, in the order of the summary. */
  lines(): SummaryLine[] {
    return this.#lines.flat();
  }

  format(): string {
    return formatWithin(
      this.#texts.map((items) => items.join('\n')),
      this.template,
      this.budgetTokens,
      estimateTokens,
    );
  }
}
