import type { SummaryTemplate } from '@palimpsest/core';
import { estimateTokens } from '@palimpsest/tokens';
import { formatSummary, formatWithin, isTight } from '../template/parse-summary.ts';
import { type RoleMap, roleMap, type SectionRole } from '../template/section-role.ts';

/** Tokens kept free for what an estimate misses. */
const reserve = 8;

/** Fills the sections of a template, within a budget of estimated tokens. */
export class SectionFiller {
  readonly template: SummaryTemplate;
  readonly roles: RoleMap;
  readonly budgetTokens: number;
  readonly #texts: string[][];
  #left: number;

  constructor(template: SummaryTemplate, budgetTokens: number) {
    this.template = template;
    this.roles = roleMap(template);
    this.budgetTokens = budgetTokens;
    this.#texts = template.sections.map(() => []);
    const frame = estimateTokens(formatSummary([], template));
    this.#left = budgetTokens - (isTight(template, budgetTokens, estimateTokens) ? frame / 2 : frame) - reserve;
  }

  /** Tokens that are left of the budget. */
  get left(): number {
    return this.#left;
  }

  /** The tokens that a share of the whole budget may still take. */
  room(share: number): number {
    return Math.min(this.#left, this.budgetTokens * share);
  }

  /** Adds items to the section for a role. Items that do not fit into the share of the budget are skipped. */
  add(role: SectionRole, items: readonly string[], share: number): void {
    let room = this.room(share);
    for (const item of items) {
      const cost = estimateTokens(item) + 2;
      if (cost > room) continue;
      this.append(role, item);
      room -= cost;
      this.#left -= cost;
    }
  }

  /** Takes tokens out of the budget for text that is appended later. */
  spend(tokens: number): void {
    this.#left -= tokens;
  }

  /** Adds a text that the budget has already paid for. */
  append(role: SectionRole, text: string): void {
    this.#texts[this.roles.place(role)]!.push(text);
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
