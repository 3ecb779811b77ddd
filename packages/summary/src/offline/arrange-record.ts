import type { SummaryMaterial } from '@palimpsest/core';
import { blockKey, oneLine, selectLines, sourceOf, startOf, unverifiedSummary } from '@palimpsest/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { withoutListMark } from '@palimpsest/work-record';
import { instructionItems, instructionsWithin } from '../grounding/carry-instructions.ts';
import { withoutPins } from '../grounding/carry-pins.ts';
import { certainFirst, readRuleItem, ruleItem } from '../grounding/rule-item.ts';
import { taskWords } from '../grounding/task-words.ts';
import { type ExcerptBlock, formatExcerpts, readExcerpts } from '../template/excerpts.ts';
import { lastNumber, listed, readNumbered } from '../template/numbered-list.ts';
import { formatSummary, type ParsedSummary } from '../template/parse-summary.ts';
import { plainItems } from '../template/section-items.ts';
import { roleMap, type SectionRole } from '../template/section-role.ts';
import { verbatim } from '../template/verbatim.ts';
import { type TurnFacts, unique } from './gather-facts.ts';

/**
 * The most a section may take of the budget; what they leave goes to actions and excerpts, which say most of what is
 * needed again for their tokens. Fitted to the bench's development half.
 */
const shares: Readonly<Record<Exclude<SectionRole, 'actions' | 'context'>, number>> = {
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
};

/** Of the budget, what the summary so far may keep of its decisions, files, actions and excerpts, in this order. */
const carried = { decisions: 0.1, files: 0.1, actions: 0.16, excerpts: 0.2, context: 0.1 };

/** Fills the template from what rules found, in about the given number of tokens. */
export function arrangeRecord(
  facts: TurnFacts,
  previous: ParsedSummary,
  template: SummaryMaterial['template'],
  budget: number,
): string {
  const { record, work } = facts;
  const roles = roleMap(template);
  const texts: string[][] = template.sections.map(() => []);
  let left = budget - estimateTokens(formatSummary([], template)) - 8;
  const old = (role: SectionRole): string => {
    const own = roles.own(role);
    const text = own < 0 ? '' : (previous.sections[own] ?? '').trim();
    return text === template.sections[own]?.empty ? '' : text;
  };
  const oldItems = (role: SectionRole): string[] => readNumbered(old(role)).map((item) => item.text);
  // Fenced quotations in a section of user words are not the user's own words, so they are left out.
  const oldWords = (role: SectionRole): string[] => plainItems(old(role)).map((item) => oneLine(withoutListMark(item)));
  const put = (role: SectionRole, items: readonly string[], share: number): void => {
    let room = Math.min(left, budget * share);
    for (const item of items) {
      const cost = estimateTokens(item) + 2;
      if (cost > room) continue;
      texts[roles.place(role)]!.push(item);
      room -= cost;
      left -= cost;
    }
  };
  const list = (role: keyof typeof shares, items: readonly string[]): void =>
    put(role, unique(items).map(bullet), shares[role]);

  const task =
    work.said.length === 0
      ? [old('task')].filter(Boolean)
      : work.openRequests.map((one) => taskWords(one, (budget * shares.task) / work.openRequests.length, template));
  const ownTask = roles.own('task') >= 0;
  put(ownTask ? 'task' : 'goal', task, 1);
  const goal = old('goal') || (work.said[0] ? verbatim(firstLine(work.said[0].text), template) : '');
  if (goal !== '' && !task.some((text) => text.startsWith(goal))) put('goal', [goal], shares.goal * 2);
  const oldRules = oldWords('rules').map(readRuleItem);
  const instructed = [...oldRules.filter(({ byHost }) => byHost), ...instructionItems(work.instructions)];
  put('rules', instructionsWithin(instructed, budget, estimateTokens).map(ruleItem).map(bullet), 0.4);
  list('rules', certainFirst([...oldRules.filter(({ byHost }) => !byHost), ...work.rules]).map(ruleItem));
  put('decisions', oldItems('decisions').map(bullet), carried.decisions);
  put('files', oldItems('files').map(bullet), carried.files);
  const oldActions = readNumbered(old('actions'));
  const keptActions = newestWithin(
    oldActions.map(({ number, text }) => (number > 0 ? listed(`${number}.`, text) : bullet(text))),
    Math.min(left, budget * carried.actions),
  );
  put('actions', keptActions, 1);

  list('state', facts.state.length > 0 ? facts.state : oldItems('state'));
  list('progress', facts.progress);
  list('blocked', facts.blocked);
  list('decisions', facts.decisions);
  list('answers', [...facts.answered, ...oldItems('answers')]);
  list(
    'asks',
    [...facts.asks, ...oldWords('asks')].filter((ask) => !task.some((text) => text.includes(ask))),
  );
  const known = old('files');
  list(
    'files',
    facts.files.filter((file) => !known.includes(file.slice(0, file.lastIndexOf(' (')))),
  );
  list('remaining', facts.remaining);

  const oldContext = readExcerpts(withoutPins(old('context')));
  put(
    'context',
    readNumbered(oldContext.rest).map((item) => bullet(item.text)),
    carried.context,
  );
  const oldBlocks = newestBlocks(oldContext.blocks, Math.min(left, budget * carried.excerpts));
  left -= oldBlocks.reduce((sum, block) => sum + blockCost(block), 0);
  const told = new Set(task.flatMap((text) => text.split('\n').map((line) => line.trim())));
  const chosen = selectLines(facts, left, told);
  const numbers = new Map<number, number>();
  let number = lastNumber(oldActions);
  for (const [index, call] of record.calls.entries()) {
    if (!chosen[call.line]) continue;
    const outcome = facts.outcomes.get(index);
    const head = record.lines[call.line]!.text.slice(call.name.length).trim() || call.name;
    numbers.set(index, ++number);
    texts[roles.place('actions')]!.push(
      oneLine(`${number}. ${head}${outcome ? ` - ${outcome}` : ''} [tool: ${call.name}]`),
    );
  }
  const blocks = [...oldBlocks, ...excerptBlocks(facts, chosen, numbers)];
  if (blocks.length > 0) texts[roles.place('context')]!.push(formatExcerpts(blocks));
  return formatSummary(
    texts.map((items) => items.join('\n')),
    template,
  );
}

function excerptBlocks(
  { record }: TurnFacts,
  chosen: Uint8Array,
  numbers: ReadonlyMap<number, number>,
): ExcerptBlock[] {
  const blocks: ExcerptBlock[] = [];
  let key = '';
  let indices: number[] = [];
  const flush = (): void => {
    if (indices.length === 0) return;
    const from = record.lines[indices[0]!]!.number;
    const to = record.lines[indices.at(-1)!]!.number;
    const range = from === to ? `${from}` : `${from}-${to}`;
    blocks.push({
      source: oneLine(`${sourceOf(record, indices[0]!, numbers)}:${range}`),
      lines: indices.map((index) => record.lines[index]!.text),
    });
    indices = [];
  };
  record.lines.forEach((line, index) => {
    if (!chosen[index] || line.kind === 'call') return;
    const next = blockKey(record, index);
    if (next !== key) flush();
    key = next;
    indices.push(index);
  });
  flush();
  return blocks;
}

/**
 * Picks the newest blocks that fit. Quoted summaries come first, up to half of the room, because they cover more than
 * other quotations of the same age.
 */
function newestBlocks(blocks: readonly ExcerptBlock[], room: number): ExcerptBlock[] {
  const kept = new Set<ExcerptBlock>();
  let left = room;
  const take = (candidates: readonly ExcerptBlock[], least: number): void => {
    for (const block of candidates.toReversed()) {
      const cost = blockCost(block);
      if (kept.has(block) || left - cost < least) continue;
      left -= cost;
      kept.add(block);
    }
  };
  take(
    blocks.filter(({ source }) => source.startsWith(unverifiedSummary)),
    room / 2,
  );
  take(blocks, 0);
  return blocks.filter((block) => kept.has(block));
}

function blockCost({ source, lines }: ExcerptBlock): number {
  return estimateTokens(source) + 4 + lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

function newestWithin(items: readonly string[], room: number): string[] {
  let left = room;
  let from = items.length;
  while (from > 0 && estimateTokens(items[from - 1]!) + 2 <= left) left -= estimateTokens(items[--from]!) + 2;
  return items.slice(from);
}

function bullet(text: string): string {
  return listed('-', text);
}

function firstLine(text: string): string {
  return startOf((text.split('\n').find((line) => line.trim() !== '') ?? '').trim(), 400);
}
