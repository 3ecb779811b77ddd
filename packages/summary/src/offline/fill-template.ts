import type { SummaryTemplate } from '@palimpsest/core';
import { startOf } from '@palimpsest/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { instructionItems, instructionsWithin } from '../grounding/carry-instructions.ts';
import { certainFirst, readRuleItem, ruleItem } from '../grounding/rule-item.ts';
import { listed } from '../template/numbered-list.ts';
import type { ParsedSummary } from '../template/parse-summary.ts';
import type { SectionRole } from '../template/section-role.ts';
import { requestWords, verbatim } from '../template/verbatim.ts';
import { fillQuotedLines } from './fill-quoted-lines.ts';
import { type TurnFacts, unique } from './gather-facts.ts';
import { PreviousSections } from './previous-sections.ts';
import { SectionFiller } from './section-filler.ts';

/**
 * The largest share of the budget per section. The rest goes to actions and excerpts, which save the most per token.
 * Fitted on the development half of the bench.
 */
const shares = {
  task: 0.2,
  goal: 0.025,
  rules: 0.06,
  state: 0.015,
  progress: 0.01,
  blocked: 0.01,
  decisions: 0.0125,
  answers: 0.01,
  asks: 0.02,
  files: 0.015,
  remaining: 0.02,
} as const satisfies Partial<Record<SectionRole, number>>;

/** The share for instructions of the host, beside the limit of `instructionsWithin`. */
const instructionShare = 0.4;

/** The largest share of the budget for items of the previous summary. */
const previousShares = { decisions: 0.1, files: 0.1, actions: 0.16 } as const;

/** Longest first line of a message that states the goal. Characters. */
const longestGoal = 400;

/**
 * Fills a template from the facts of the turns and the previous summary, in about the given number of tokens. What is
 * filled first has priority.
 */
export function fillTemplate(
  facts: TurnFacts,
  parsed: ParsedSummary,
  template: SummaryTemplate,
  budgetTokens: number,
): string {
  const filler = new SectionFiller(template, budgetTokens);
  const previous = new PreviousSections(parsed, template);
  const task = fillTask(filler, facts, previous);
  fillRules(filler, facts, previous);
  fillPreviousItems(filler, previous);
  fillFacts(filler, facts, previous, task);
  fillQuotedLines(filler, facts, previous, task);
  return filler.format();
}

/** @returns the open requests as they were listed */
function fillTask(filler: SectionFiller, { work }: TurnFacts, previous: PreviousSections): readonly string[] {
  const { template, roles, budgetTokens } = filler;
  const { said, openRequests } = work;
  const room = (budgetTokens * shares.task) / openRequests.length;
  const task =
    said.length === 0
      ? [previous.text('task')].filter(Boolean)
      : openRequests.map((request) => requestWords(request, room, template));
  filler.add(roles.own('task') >= 0 ? 'task' : 'goal', task, 1);
  const goal = previous.text('goal') || (said[0] ? verbatim(firstLine(said[0].text), template) : '');
  if (goal !== '' && !task.some((text) => text.startsWith(goal))) filler.add('goal', [goal], shares.goal * 2);
  return task;
}

function fillRules(filler: SectionFiller, { work }: TurnFacts, previous: PreviousSections): void {
  const before = previous.userWords('rules').map(readRuleItem);
  const instructions = [...before.filter(({ byHost }) => byHost), ...instructionItems(work.instructions)];
  const fitting = instructionsWithin(instructions, filler.budgetTokens, estimateTokens);
  filler.add('rules', fitting.map(ruleItem).map(bullet), instructionShare);
  const rules = certainFirst([...before.filter(({ byHost }) => !byHost), ...work.rules]);
  filler.add('rules', bullets(rules.map(ruleItem)), shares.rules);
}

/** Decisions, files and finished actions of the previous summary. */
function fillPreviousItems(filler: SectionFiller, previous: PreviousSections): void {
  filler.add('decisions', previous.items('decisions').map(bullet), previousShares.decisions);
  filler.add('files', previous.items('files').map(bullet), previousShares.files);
  const actions = previous
    .numbered('actions')
    .map(({ number, text }) => (number > 0 ? listed(`${number}.`, text) : bullet(text)));
  filler.add('actions', newestWithin(actions, filler.room(previousShares.actions)), 1);
}

function fillFacts(filler: SectionFiller, facts: TurnFacts, previous: PreviousSections, task: readonly string[]): void {
  const list = (role: keyof typeof shares, items: readonly string[]): void =>
    filler.add(role, bullets(items), shares[role]);
  list('state', facts.state.length > 0 ? facts.state : previous.items('state'));
  list('progress', facts.progress);
  list('blocked', facts.blocked);
  list('decisions', facts.decisions);
  list('answers', [...facts.answered, ...previous.items('answers')]);
  const asks = [...facts.asks, ...previous.userWords('asks')];
  list(
    'asks',
    asks.filter((ask) => !task.some((text) => text.includes(ask))),
  );
  const known = previous.text('files');
  list(
    'files',
    facts.files.filter((file) => !known.includes(file.slice(0, file.lastIndexOf(' (')))),
  );
  list('remaining', facts.remaining);
}

/** The newest items that fit into the room, in their order. */
function newestWithin(items: readonly string[], room: number): string[] {
  let left = room;
  let from = items.length;
  while (from > 0 && estimateTokens(items[from - 1]!) + 2 <= left) left -= estimateTokens(items[--from]!) + 2;
  return items.slice(from);
}

function bullets(items: readonly string[]): string[] {
  return unique(items).map(bullet);
}

function bullet(text: string): string {
  return listed('-', text);
}

function firstLine(text: string): string {
  return startOf((text.split('\n').find((line) => line.trim() !== '') ?? '').trim(), longestGoal);
}
