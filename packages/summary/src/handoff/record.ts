import { readToolName } from '@palimpsest/agents';
import { contentText, hasToolCalls, type Message, type RecordPart, type SummaryMaterial } from '@palimpsest/core';
import { isStep, oneLine, outcomeLines, startOf, truncate, unverifiedSummary } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { formatExcerpts, readExcerptBlock } from '../template/excerpts.ts';
import { fenced } from '../template/fence.ts';
import { sectionItems } from '../template/section-items.ts';
import { completeTemplate } from '../template/templates.ts';
import { requestWords } from '../template/verbatim.ts';
import { standingRules } from '../work-record/rules/standing-rules.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import type { Verdict } from '../work-record/verdicts/verdicts.ts';
import { isTodoTool } from '../work-record/work/todo-items.ts';
import { fileItems } from './files.ts';
import { type Item, item, verbatimItem } from './item.ts';
import { reloads } from './loads.ts';
import { type MaterialRecord, readMaterial } from './material.ts';
import { normalize } from './normalize.ts';
import { certainFirst, type ListedRule, readRuleItem, ruleItem } from './rule-item.ts';
import { partIndex, readSections } from './sections.ts';

/** Entries that ask for a share of a handoff. */
interface Claim {
  readonly part: RecordPart;
  /** In the order in which they are written. */
  readonly items: readonly Item[];
  /** Maximum share of the room. */
  readonly share: number;
  /** Tokens that the entries may take in any room, because they exist nowhere else. @default 0 */
  readonly least?: number | undefined;
  /** The end that matters more. @default 'first' */
  readonly keep?: 'first' | 'last' | undefined;
  /** True if they are also added to a page that a model wrote at length. @default false */
  readonly always?: boolean | undefined;
}

/** What rules know about the messages that a handoff replaces. */
export interface HandoffRecord {
  readonly material: MaterialRecord;
  /** In order of priority. Entries of one part are written in the order of their messages. */
  readonly claims: readonly Claim[];
  /** What a model wrote in the previous summary, by section of the complete template. */
  readonly page: readonly string[];
  /** Quotations in the previous summary, oldest first. */
  readonly quotations: readonly string[];
}

/** What an earlier handoff has of each part, as entries. */
type Earlier = (part: RecordPart) => readonly string[];

/** Minimum room for the user's rules in a handoff of any size. Tokens. */
export const leastRuleRoom = 300;
/** The same for the open request, the user's messages, instructions of the host, and what has to be loaded again. */
const leastRoom = 100;
/** Maximum length of a user's message that is written in full. Tokens. */
const longestInFull = 500;
/** Maximum length of a text of the agent that is written in full: to the user, and between calls. Tokens. */
const longestAnswer = 1_500;
const longestRemark = 300;
/** A shorter text between calls only announces the next call, which is listed. Characters. */
const shortestRemark = 60;
/** Length of the shortest forms of a message and of an answer. Characters. */
const [shortMessage, shortAnswer] = [84, 200] as const;
/** Maximum length of what a call was given, in its forms. Tokens. */
const [longestInput, shortInput] = [500, 120] as const;
const mostSteps = 400;

const pinLabel = 'Pinned, word for word:';

/** Reads from messages and the previous summary what rules write into a handoff. */
export function readRecord(material: SummaryMaterial, budgetTokens: number): HandoffRecord {
  const template = completeTemplate(material.template);
  const sections = readSections(material.previousSummary ?? '', template);
  const earlier: Earlier = (part) => sectionItems(sections[partIndex(template, part)]!.record);
  const read = readMaterial(material);
  const pins = pinItems(material, read.from, earlier);
  return {
    material: read,
    page: sections.map(({ page }) => page),
    quotations: earlier('context').filter(
      (text) => text.startsWith('```') && !isForeign(text) && !pins.some((pin) => holds(pin, text)),
    ),
    claims: [
      {
        part: 'task',
        items: taskItems(read, earlier, { ...material, template }, budgetTokens),
        share: 1,
        least: leastRoom,
        always: true,
      },
      { part: 'context', items: pins, share: 1, always: true },
      { part: 'rules', items: ruleItems(read, earlier), share: 0.2, least: leastRuleRoom, always: true },
      {
        part: 'messages',
        items: messageItems(read, earlier),
        share: 0.35,
        least: leastRoom,
        keep: 'last',
        always: true,
      },
      { part: 'rules', items: hostItems(read, earlier), share: 0.2, least: leastRoom, keep: 'last', always: true },
      { part: 'rules', items: reloads(material, earlier('rules')), share: 0.1, least: leastRoom, always: true },
      { part: 'files', items: fileItems(read, earlier('files')), share: 0.15, always: true },
      { part: 'state', items: stateItems(read, earlier), share: 0.08, always: true },
      { part: 'plan', items: planItems(read, earlier), share: 0.08, always: true },
      { part: 'context', items: foreignItems(material, read.from, earlier), share: 0.3 },
      {
        part: 'messages',
        items: wordItems(read, (message) => !hasToolCalls(message), answerForms),
        share: 0.35,
        keep: 'last',
      },
      { part: 'work', items: stepItems(read, earlier), share: 0.45, keep: 'last' },
      { part: 'messages', items: wordItems(read, hasToolCalls, remarkForms), share: 0.2, keep: 'last' },
    ],
  };
}

function holds(pin: Item, text: string): boolean {
  return pin.forms[0]!.map((line) => line.text)
    .join('\n')
    .endsWith(text);
}

function taskItems(
  { work }: MaterialRecord,
  earlier: Earlier,
  { template }: Pick<SummaryMaterial, 'template'>,
  budgetTokens: number,
): Item[] {
  if (work.said.length === 0) return earlier('task').map((text) => verbatimItem(text));
  const room = (budgetTokens * 0.2) / work.openRequests.length;
  return work.openRequests.map((request) => verbatimItem(requestWords(request, room, template), [request.index]));
}

/** The user's rules in messages that do not stay, and in the previous summary. */
function ruleItems({ work, isFolded }: MaterialRecord, earlier: Earlier): Item[] {
  // The current request follows the handoff.
  const carried = new Set(work.said.filter((one) => one.carried).map(({ index }) => index));
  const stated = work.rules.filter(({ index }) => isFolded(index) && !carried.has(index));
  const from = new Map(stated.map(({ text, index }) => [text, [index]]));
  const before = listedRules(earlier).filter(({ byHost }) => !byHost);
  return certainFirst<ListedRule>([...before, ...stated]).map((rule) =>
    item('-', [ruleItem(rule)], from.get(rule.text)),
  );
}

/** Short instructions of the host in system messages that do not stay, and in the previous summary. */
function hostItems({ work, isFolded }: MaterialRecord, earlier: Earlier): Item[] {
  const rules = new Map<string, readonly number[]>();
  for (const { text, byHost } of listedRules(earlier)) if (byHost) rules.set(text, []);
  for (const { text, index } of work.instructions) if (isFolded(index)) rules.set(text, [index]);
  const isRule = ([text]: readonly [string, unknown]): boolean => standingRules(text).some(({ certain }) => certain);
  // Rules matter more than other instructions, and the newest more than older ones.
  return [...rules]
    .sort((one, other) => Number(isRule(one)) - Number(isRule(other)))
    .map(([text, from]) => item('-', [ruleItem({ text, certain: true, byHost: true })], from));
}

function listedRules(earlier: Earlier): ListedRule[] {
  return earlier('rules')
    .filter((text) => text.startsWith('- '))
    .map((text) => readRuleItem(withoutListMark(text)));
}

/** The messages of the user, numbered from the start of the session, and their answers to tools that asked them. */
function messageItems({ work, isFolded }: MaterialRecord, earlier: Earlier): Item[] {
  const folded = work.log.filter(({ index, carried }) => !carried && isFolded(index));
  const known = new Set(folded.map(({ text }) => keyOf(text)));
  const before = earlier('messages').filter((text) => !known.has(keyOf(withoutListMark(text))));
  const last = before.reduce((most, text) => Math.max(most, Number(/^(\d{1,6})\. /.exec(text)?.[1] ?? 0)), 0);
  const first = folded[0]?.number ?? 1;
  const said = folded.map(({ index, number, text, gist }): Item & { index: number } => ({
    index,
    ...item(
      `${last > 0 ? last + 1 + number - first : number}.`,
      [
        ...(estimateTokens(text) <= longestInFull && !text.startsWith('<command-') ? [text] : []),
        gist,
        cut(gist, shortMessage),
      ],
      [index],
    ),
  }));
  const answers = work.answers
    .filter(({ index }) => isFolded(index))
    .map(({ index, text, question, isRefusal }) => {
      const asked = question === null ? '' : isRefusal ? ` (refused: ${question})` : ` (asked: ${question})`;
      const label = isRefusal ? 'Said by the user' : 'Answered by the user';
      return { index, ...item('-', [`${label}: ${text}${asked}`, `${label}: ${text}`], [index]) };
    });
  return [...before.map((text) => ({ forms: [...verbatimItem(text).forms, firstLine(text)] })), ...said, ...answers];
}

function firstLine(text: string): Item['forms'][number] {
  return [{ text: text.split('\n')[0]!, from: [] }];
}

/** Identifies a message by its beginning. */
function keyOf(text: string): string {
  return normalize(text.slice(0, 200)).slice(0, 80);
}

/** Texts of the agent in messages that do not stay. */
function wordItems(
  { messages, isFolded }: MaterialRecord,
  isOne: (message: Message) => boolean,
  forms: (text: string) => readonly string[],
): Item[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant' || !isFolded(index) || !isOne(message)) return [];
    const text = contentText(message.content).trim();
    return text.length >= (hasToolCalls(message) ? shortestRemark : 1) && /\p{L}/u.test(text)
      ? [item('- Agent:', forms(text), [index])]
      : [];
  });
}

const answerForms = (text: string): string[] => [
  ...(estimateTokens(text) <= longestAnswer ? [text] : []),
  startOf(text, 1_200),
  cut(oneLine(text), shortAnswer),
];

const remarkForms = (text: string): string[] => (estimateTokens(text) <= longestRemark ? [text] : [startOf(text, 800)]);

function stateItems({ work, isFolded }: MaterialRecord, earlier: Earlier): Item[] {
  const verdicts = work.verdicts.filter(({ index }) => isFolded(index));
  const known = new Set(verdicts.map(({ family }) => `\`${oneLine(family)}\``));
  const { directory, branch } = work.state;
  const state = [
    ...(directory ? [{ index: directory.index, text: `cwd: ${directory.text}` }] : []),
    ...(branch ? [{ index: branch.index, text: `branch: ${branch.text}` }] : []),
  ];
  const before = earlier('state').filter((text) => {
    const family = /^- (`[^`]{1,80}`) /.exec(text)?.[1];
    return family === undefined ? /^- (?:cwd|branch): /.test(text) && state.length === 0 : !known.has(family);
  });
  return [
    ...verdicts.map((verdict) => item('-', verdictForms(verdict), [...new Set([verdict.callIndex, verdict.index])])),
    ...state.filter(({ index }) => isFolded(index)).map(({ index, text }) => item('-', [oneLine(text)], [index])),
    ...work.pendingCalls
      .filter(({ index }) => isFolded(index))
      .map(({ index, text }) => item('-', [`Without a result: ${oneLine(text)}`], [index])),
    ...before.map((text) => verbatimItem(text)),
  ];
}

function verdictForms({ family, command, outcome, line, failing, failingCount, newest }: Verdict): string[] {
  const said = outcome === 'unknown' ? 'ended' : outcome;
  const head = `\`${oneLine(family)}\` ${said}${newest ? '' : ' before, on more than was run since'}`;
  const short = line === '' ? head : `${head}: ${truncate(oneLine(line), 240)}`;
  const run = oneLine(command);
  const ran = run === '' || run === family ? '' : ` (ran: ${truncate(run, 120)})`;
  const names = failing.slice(0, 12).map(oneLine);
  const more = failingCount > names.length ? ` and ${failingCount - names.length} more` : '';
  const failed = names.length > 0 ? `; failing: ${names.join(', ')}${more}` : '';
  return [`${short}${failed}${ran}`, `${short}${failed}`, short];
}

/** The agent's task list, or that of the previous summary if there is no newer one. */
function planItems({ work, isFolded }: MaterialRecord, earlier: Earlier): Item[] {
  const { index, items, inProgress, pending } = work.todo;
  if (index < 0) return earlier('plan').map((text) => verbatimItem(text));
  if (!isFolded(index)) return [];
  const open = new Set([...inProgress.map((text) => `${oneLine(text)} (in progress)`), ...pending.map(oneLine)]);
  const done = items.filter(({ status }) => status === 'done').map(({ text }) => oneLine(text));
  const count = `${done.length} of ${items.length} items of the task list are done`;
  return [
    ...[...open].map((text) => item('-', [text], [index])),
    ...(done.length > 0 ? [item('-', [`${count}: ${done.join('; ')}`, count], [index])] : []),
  ];
}

/** The agent's commands and changes, as they were, each with how it ended. */
function stepItems({ work, isFolded }: MaterialRecord, earlier: Earlier): Item[] {
  const { calls, lines } = work.turns;
  const outcomes = outcomeLines(work.turns);
  const before = earlier('work').map((text): Item => ({ forms: [...verbatimItem(text).forms, firstLine(text)] }));
  const steps = calls.flatMap((call, at) => {
    if (!isFolded(call.at) || !isStep(call) || isTodoTool(readToolName(call.name).tool)) return [];
    const head = oneLine(lines[call.line]?.kind === 'call' ? lines[call.line]!.text : call.name);
    const outcome = outcomes.has(at) ? ` -> ${oneLine(outcomes.get(at)!)}` : '';
    const input: string[] = [];
    for (let index = call.line + 1; lines[index]?.kind === 'input' && lines[index]!.call === at; index++)
      input.push(lines[index]!.text);
    if (head === call.name && input.length === 0) return [];
    const forms = [longestInput, shortInput].map((most) => [`${head}${outcome}`, ...within(input, most)].join('\n'));
    return [
      item(
        '-',
        [...forms, `${cut(head, 400)}${outcome}`],
        call.answeredAt < 0 ? [call.at] : [call.at, call.answeredAt],
      ),
    ];
  });
  return [...before, ...steps.slice(-mostSteps)];
}

/** The first lines that fit, with a mark if there are more. */
function within(lines: readonly string[], most: number): string[] {
  let left = most;
  const end = lines.findIndex((line) => (left -= estimateTokens(line) + 1) < 0);
  return end < 0 ? [...lines] : [...lines.slice(0, end), '[...]'];
}

/** The texts of pinned messages, and those of earlier passes, which exist only in the previous summary. */
function pinItems({ messages, pins = [] }: SummaryMaterial, offset: number, earlier: Earlier): Item[] {
  const items = earlier('context');
  const before = items.flatMap((text, at) => (items[at - 1] === pinLabel ? [{ text, from: [] as number[] }] : []));
  const now = pins.flatMap((at) => {
    const text = contentText(messages[at]?.content).trim();
    return text === '' ? [] : [{ text: fenced(text), from: [at + offset] }];
  });
  const texts = new Map([...before, ...now].map(({ text, from }) => [text, from]));
  return [...texts].map(([text, from]) => verbatimItem(`${pinLabel}\n${text}`, from));
}

/** Summaries that somebody else wrote, quoted: each stands for a whole session, and may say what is not so. */
function foreignItems({ messages }: SummaryMaterial, offset: number, earlier: Earlier): Item[] {
  const now = messages.flatMap((message, at) => {
    if (message.name !== unverifiedSummary || message.role !== 'tool') return [];
    const lines = contentText(message.content).split('\n');
    const quoted = (count: number): string =>
      formatExcerpts([{ source: unverifiedSummary, lines: lines.slice(0, count) }]);
    const forms = [lines.length, 60, 20].map((count) => verbatimItem(quoted(count), [at + offset]).forms[0]!);
    return [{ forms }];
  });
  return [
    ...earlier('context')
      .filter(isForeign)
      .map((text) => verbatimItem(text)),
    ...now,
  ];
}

function isForeign(text: string): boolean {
  return readExcerptBlock(text)?.every(({ source }) => source.startsWith(unverifiedSummary)) ?? false;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length).trimEnd()} \u2026`;
}
