import type { SummaryLine, SummaryTemplate } from '@palimpsest/core';
import { startOf } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { instructionItems, instructionsWithin } from '../grounding/carry-instructions.ts';
import { certainFirst, readRuleItem, ruleItem, rulesInRequest } from '../grounding/rule-item.ts';
import { recordRoom, writeRecord } from '../record/write-record.ts';
import { listed } from '../template/numbered-list.ts';
import { isTight, type ParsedSummary } from '../template/parse-summary.ts';
import { PreviousSections } from '../template/previous-sections.ts';
import { requestWords, verbatim } from '../template/verbatim.ts';
import type { LoggedMessage } from '../work-record/requests/user-log.ts';
import { fillFacts, identifyingLength } from './fill-facts.ts';
import { earlierActions, fillQuotedLines } from './fill-quoted-lines.ts';
import { type TurnFacts, unique } from './gather-facts.ts';
import { SectionFiller } from './section-filler.ts';

/** Maximum share of the budget for rules of the user. Grounding adds omitted rules in separate room. */
export const rulesShare = 0.06;

/**
 * Maximum share of the budget per section. The rest goes to actions and excerpts, which save the most per token. Tuned
 * on the development half of the bench.
 */
const shares = {
  task: 0.2,
  goal: 0.025,
  rules: rulesShare,
} as const;

/** Maximum share for instructions of the host, in addition to the limit of `instructionsWithin`. */
const instructionShare = 0.4;

/** Maximum share of the budget for actions of the previous summary. */
const previousActions = 0.16;

/** Maximum number of lines of a user's message to compare with the record. */
const longestTold = 40;

/**
 * Fills a template from the facts of the turns and the previous summary, in about the given number of tokens. Sections
 * that are filled first have priority.
 * @param reservedTokens tokens to leave free in addition to `budgetTokens`; record sections get a share of the sum
 */
export function fillTemplate(
  facts: TurnFacts,
  parsed: ParsedSummary,
  template: SummaryTemplate,
  budgetTokens: number,
  reservedTokens: number,
): { readonly text: string; readonly lines: readonly SummaryLine[] } {
  const filler = new SectionFiller(template, budgetTokens + reservedTokens);
  const previous = new PreviousSections(parsed, template);
  const task = fillTask(filler, facts, previous);
  fillRules(filler, facts, previous);
  const record = fillRecord(filler, facts, previous);
  filler.spend(reservedTokens);
  fillPreviousActions(filler, previous);
  const told = [...task, ...record];
  fillGoal(filler, facts, previous, told);
  fillFacts(filler, facts, previous, told);
  fillQuotedLines(filler, facts, previous, [...told, ...linesTold(facts, told)]);
  return { text: filler.format(), lines: facts.positions(filler.lines()) };
}

/** @returns the open requests as listed */
function fillTask(filler: SectionFiller, { work }: TurnFacts, previous: PreviousSections): readonly string[] {
  const { template, roles, budgetTokens } = filler;
  const { said, openRequests } = work;
  const room = (budgetTokens * shares.task) / openRequests.length;
  const task =
    said.length === 0
      ? [previous.text('task')].filter(Boolean)
      : openRequests.map((request) => requestWords(request, room, template));
  const role = roles.own('task') >= 0 ? 'task' : 'goal';
  filler.add(role, task, 1, said.length === 0 ? undefined : (at) => [openRequests[at]!.index]);
  return task;
}

/** Fills in the goal of the previous summary, or the user's first request. */
function fillGoal(
  filler: SectionFiller,
  { work }: TurnFacts,
  previous: PreviousSections,
  told: readonly string[],
): void {
  const first = work.log[0];
  const seen = first ? goalOf(first, told, filler) : '';
  const goal = previous.text('goal') || seen;
  const from = goal === seen && first ? [first.index] : [];
  if (goal !== '') filler.add('goal', [goal], shares.goal * 2, () => from);
}

/** The user's first request, or a reference to where it stands. A section that also has the task needs no reference. */
function goalOf({ gist, carried }: LoggedMessage, told: readonly string[], { template, roles }: SectionFiller): string {
  const isAfterTask = roles.own('task') < 0;
  if (carried) return isAfterTask ? '' : 'The request after this summary states it.';
  const isTold = gist !== '' && told.some((text) => text.startsWith(startOf(gist, identifyingLength)));
  if (!isTold) return verbatim(gist, template);
  return isAfterTask ? '' : 'Message 1 of the user states it.';
}

/**
 * Lists the rules of messages that do not stay in the transcript. If the current request states rules, a line says so,
 * unless sections without content are omitted: "None" would be wrong.
 */
function fillRules(filler: SectionFiller, { work, isFolded }: TurnFacts, previous: PreviousSections): void {
  const { template, budgetTokens } = filler;
  const before = previous
    .userWords('rules')
    .map(readRuleItem)
    .filter(({ text }) => text !== rulesInRequest);
  const instructions = [...before.filter(({ byHost }) => byHost), ...instructionItems(work.instructions)];
  const fitting = instructionsWithin(instructions, budgetTokens, estimateTokens);
  filler.add('rules', fitting.map(ruleItem).map(bullet), instructionShare);
  const ofRequest = new Set(work.said.filter(({ carried }) => carried).map(({ index }) => index));
  const stated = work.rules.filter(({ index }) => isFolded(index) && !ofRequest.has(index));
  const rules = certainFirst([...before.filter(({ byHost }) => !byHost), ...stated]);
  const items = unique(rules.map((rule) => ({ text: ruleItem(rule), from: [] })));
  filler.add(
    'rules',
    items.map(({ text }) => bullet(text)),
    shares.rules,
  );
  if (work.rules.some(({ index }) => ofRequest.has(index)) && !isTight(template, budgetTokens, estimateTokens))
    filler.add('rules', [rulesInRequest], 1);
}

/** @returns the items, without their marks */
function fillRecord(filler: SectionFiller, facts: TurnFacts, previous: PreviousSections): string[] {
  const { work, isFolded } = facts;
  const room = Math.min(recordRoom(filler.budgetTokens), filler.left);
  const { items, lines, tokens } = writeRecord({ work, previous, isFolded, room });
  for (const [role, own] of items) if (own.length > 0) filler.append(role, own.join('\n'), lines.get(role));
  filler.spend(tokens);
  return [...items.values()].flat().map((line) => line.slice(line.indexOf(' ') + 1));
}

/** Lines of the user's messages that the record contains, as written in the messages. */
function linesTold({ work, isFolded }: TurnFacts, told: readonly string[]): string[] {
  const all = told.join('\n');
  return work.said.flatMap(({ index, text }) =>
    isFolded(index)
      ? text
          .split('\n', longestTold)
          .map((line) => line.trim())
          .filter((line) => line !== '' && all.includes(line))
      : [],
  );
}

/** Adds finished actions of the previous summary. */
function fillPreviousActions(filler: SectionFiller, previous: PreviousSections): void {
  const actions = earlierActions(previous).map(({ number, text }) =>
    number > 0 ? listed(`${number}.`, text) : bullet(text),
  );
  filler.add('actions', newestWithin(actions, filler.room(previousActions)), 1);
}

/** The newest items that fit into the room, in their original order. */
function newestWithin(items: readonly string[], room: number): string[] {
  let left = room;
  let from = items.length;
  while (from > 0 && estimateTokens(items[from - 1]!) + 2 <= left) left -= estimateTokens(items[--from]!) + 2;
  return items.slice(from);
}

function bullet(text: string): string {
  return listed('-', text);
}
