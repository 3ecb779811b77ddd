import { contentText, isRequest, type Message, readHandoff, type SummaryMaterial } from '@palimpsest/core';
import { estimateTokens } from '@palimpsest/tokens';
import { openRequests } from '../grounding/open-requests.ts';
import { standingRules } from '../grounding/standing-rules.ts';
import { formatSummary, type ParsedSummary, parseSummary } from '../template/parse-summary.ts';
import { roleMap, type SectionRole } from '../template/section-role.ts';
import { userQuestions } from './answered-questions.ts';
import { decisionSentences } from './decisions.ts';
import { type ExcerptBlock, formatExcerpts, readExcerpts } from './excerpts.ts';
import { failingLines, tellsFailure } from './failing-lines.ts';
import { lastNumber, readNumbered } from './numbered.ts';
import { type RankedLines, rankLines } from './rank-lines.ts';
import { readTurns, type TurnRecord } from './record-line.ts';
import { todoItems } from './todo-items.ts';
import { touchedFiles } from './touched-files.ts';
import { verbatim } from './verbatim.ts';
import { workingState } from './working-state.ts';

export interface ComposeOptions {
  readonly budgetTokens: number;
  readonly countText: (text: string) => number;
}

/** The most a section may take of the budget; what they leave goes to actions and excerpts. */
const shares: Readonly<Partial<Record<SectionRole, number>>> = {
  task: 0.2,
  goal: 0.05,
  rules: 0.12,
  state: 0.03,
  progress: 0.06,
  blocked: 0.06,
  decisions: 0.08,
  answers: 0.04,
  asks: 0.04,
  files: 0.06,
  remaining: 0.04,
};

/** Of the budget, what the summary so far may keep beside its rules. */
const carriedShare = 0.4;

/** Writes a summary by rules alone. */
export function composeRecord(material: SummaryMaterial, options: ComposeOptions): string {
  const messages = material.messages.map(withoutHandoff);
  const record = readTurns(messages, (at) => isRequest(messages[at]!, at, messages));
  const focus = (material.focusTopic ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word.length > 2);
  const ranked = rankLines(record, focus);
  let aim = options.budgetTokens;
  let text = '';
  // The estimate and the caller's counter differ; two or three corrections bring the text under the budget.
  for (let attempt = 0; attempt < 5; attempt++) {
    text = compose(material, messages, record, ranked, aim);
    const tokens = options.countText(text);
    if (tokens <= options.budgetTokens) break;
    aim = Math.floor((aim * options.budgetTokens * 0.98) / tokens);
  }
  return text;
}

function withoutHandoff(message: Message): Message {
  const handoff = readHandoff(message);
  return handoff ? { ...message, content: handoff.rest } : message;
}

function compose(
  material: SummaryMaterial,
  messages: readonly Message[],
  record: TurnRecord,
  ranked: RankedLines,
  budget: number,
): string {
  const { template } = material;
  const roles = roleMap(template);
  const previous: ParsedSummary = parseSummary(material.previousSummary ?? '', template);
  const texts: string[][] = template.sections.map(() => []);
  const used = new Uint8Array(record.lines.length);
  let left = budget - estimateTokens(formatSummary([], template)) - 8;
  const old = (role: SectionRole): string =>
    roles.own(role) < 0
      ? ''
      : cleared(previous.sections[roles.own(role)] ?? '', template.sections[roles.own(role)]!.empty);
  const put = (role: SectionRole, items: readonly string[], share: number = shares[role] ?? 1): void => {
    let room = Math.min(left, budget * share);
    for (const item of items) {
      const cost = estimateTokens(item) + 2;
      if (cost > room) continue;
      texts[roles.place(role)]!.push(item);
      room -= cost;
      left -= cost;
    }
  };
  const isReal = (at: number): boolean => messages[at]!.role === 'user' && isRequest(messages[at]!, at, messages);
  const said = messages.flatMap((message, at) =>
    isReal(at) && contentText(message.content).trim() !== ''
      ? [{ index: at, text: contentText(message.content).trim() }]
      : [],
  );

  const open = openRequests(said);
  const task =
    open.length > 0
      ? open.map(({ text }) => verbatim(fit(text, (budget * shares.task!) / open.length), template))
      : said.length > 0
        ? []
        : [old('task')].filter(Boolean);
  if (roles.own('task') >= 0) put('task', task);
  const goal = old('goal') || (said[0] ? firstLine(said[0].text) : '');
  put(
    'goal',
    [...(roles.own('task') < 0 ? task : []), ...(goal && !task.includes(goal) ? [goal] : [])],
    roles.own('task') < 0 ? 0.25 : shares.goal,
  );
  put('rules', unique([...listItems(old('rules')), ...said.flatMap(({ text }) => standingRules(text))]).map(bullet));

  const before = left;
  const questions = userQuestions(messages, isReal);
  const todo = todoItems(messages);
  put('decisions', carried(old('decisions')), carriedShare / 4);
  put('files', carried(old('files')), carriedShare / 4);
  const oldActions = readNumbered(old('actions'));
  const numberedOld = oldActions.map(({ number, text }) => (number > 0 ? `${number}. ${text}` : bullet(text)));
  const keptOld = newestWithin(numberedOld, Math.min(left, budget * carriedShare * 0.4));
  left -= keptOld.reduce((sum, item) => sum + estimateTokens(item) + 2, 0);
  texts[roles.place('actions')]!.push(...keptOld);
  void before;

  put(
    'state',
    workingState(record).length > 0 ? workingState(record).map(bullet) : listItems(old('state')).map(bullet),
  );
  const unanswered = record.calls.filter((call) => call.answeredAt < 0).map((call) => record.lines[call.line]!.text);
  put('progress', unique([...todo.underWay, ...unanswered, ...lastWords(record)]).map(bullet));
  const failing = failingLines(record);
  const blocked = failing.filter((one) => !one.resolved).reverse();
  put(
    'blocked',
    unique(blocked.map((one) => one.text))
      .slice(0, 12)
      .map(bullet),
  );
  put(
    'decisions',
    unique(
      decisionSentences(record)
        .reverse()
        .map((one) => one.text),
    ).map(bullet),
  );
  put('answers', unique([...questions.answered.slice().reverse(), ...listItems(old('answers'))]).map(bullet));
  put(
    'asks',
    unique([...questions.open, ...listItems(old('asks'))])
      .filter((ask) => !task.some((text) => text.includes(ask)))
      .map(bullet),
  );
  const files = touchedFiles(record).map(
    ({ path, changed, read }) =>
      `${path} (${[changed && `changed ${changed}x`, read && `read ${read}x`].filter(Boolean).join(', ')})`,
  );
  put('files', files.filter((file) => !old('files').includes(file.slice(0, file.lastIndexOf(' (')))).map(bullet));
  put('remaining', unique(todo.pending).map(bullet));

  const oldContext = readExcerpts(old('context'));
  const oldBlocks = keepBlocks(oldContext.blocks, Math.min(left, budget * carriedShare * 0.5));
  left -= oldBlocks.reduce((sum, block) => sum + blockCost(block), 0);
  if (oldContext.rest) put('context', carried(oldContext.rest), carriedShare / 4);
  const selected = select(record, ranked, used, left);
  const outcomes = new Map<number, string>();
  const first = lastNumber(oldActions) + 1;
  let number = first;
  for (const [index, call] of record.calls.entries()) {
    if (!selected.lines[call.line]) continue;
    const outcome = selected.outcomes.get(index) ?? '';
    outcomes.set(index, outcome);
    const head = record.lines[call.line]!.text.slice(call.name.length).trim() || call.name;
    texts[roles.place('actions')]!.push(`${number++}. ${head}${outcome ? ` - ${outcome}` : ''} [tool: ${call.name}]`);
  }
  const blocks = [...oldBlocks, ...excerptBlocks(record, selected.lines)];
  if (blocks.length > 0) texts[roles.place('context')]!.push(formatExcerpts(blocks));
  return formatSummary(
    texts.map((items) => items.join('\n')),
    template,
  );
}

/** Lines chosen by worth until the room is used up, with the outcome of each chosen call. */
function select(
  record: TurnRecord,
  ranked: RankedLines,
  used: Uint8Array,
  room: number,
): { lines: Uint8Array; outcomes: Map<number, string> } {
  const { lines } = record;
  const chosen = new Uint8Array(lines.length);
  const outcomes = new Map<number, string>();
  const order = Array.from(lines.keys()).filter((index) => ranked.scores[index]! > 0 && !used[index]);
  order.sort((a, b) => ranked.scores[b]! - ranked.scores[a]! || b - a);
  const outcomeOf = outcomeLines(record);
  const headers = new Set<string>();
  let left = room;
  let misses = 0;
  for (const index of order) {
    const line = lines[index]!;
    let cost = ranked.costs[index]!;
    let key = '';
    if (line.kind === 'call') {
      const outcome = outcomeOf.get(line.call) ?? '';
      cost += 8 + (outcome ? estimateTokens(outcome) : 0);
    } else {
      key = `${line.at}:${line.kind === 'input' ? line.call : ''}`;
      if (!headers.has(key)) cost += estimateTokens(sourceOf(record, index)) + 4;
    }
    if (cost > left) {
      if (++misses > 200) break;
      continue;
    }
    left -= cost;
    chosen[index] = 1;
    if (line.kind === 'call') outcomes.set(line.call, outcomeOf.get(line.call) ?? '');
    else headers.add(key);
  }
  return { lines: chosen, outcomes };
}

/** By call: the line of its result that tells most, a failing one first. */
function outcomeLines(record: TurnRecord): Map<number, string> {
  const first = new Map<number, string>();
  const failed = new Map<number, string>();
  for (const { kind, text, call } of record.lines) {
    if (kind !== 'result' || call < 0) continue;
    const short = text.trim().slice(0, 160);
    if (!first.has(call)) first.set(call, short);
    if (!failed.has(call) && tellsFailure(text)) failed.set(call, short);
  }
  for (const [call, text] of failed) first.set(call, text);
  return first;
}

function excerptBlocks(record: TurnRecord, chosen: Uint8Array): ExcerptBlock[] {
  const blocks: ExcerptBlock[] = [];
  let key = '';
  let indices: number[] = [];
  const flush = (): void => {
    if (indices.length === 0) return;
    const from = record.lines[indices[0]!]!.number;
    const to = record.lines[indices.at(-1)!]!.number;
    const range = from === to ? `line ${from}` : `lines ${from}-${to}`;
    blocks.push({
      source: `${sourceOf(record, indices[0]!)}, ${range}`,
      lines: indices.map((index) => record.lines[index]!.text),
    });
    indices = [];
  };
  record.lines.forEach((line, index) => {
    if (!chosen[index] || line.kind === 'call') return;
    const next = `${line.at}:${line.kind === 'input' ? line.call : ''}`;
    if (next !== key) flush();
    key = next;
    indices.push(index);
  });
  flush();
  return blocks;
}

function sourceOf(record: TurnRecord, index: number): string {
  const line = record.lines[index]!;
  const call = line.call >= 0 ? record.calls[line.call]! : null;
  if (line.kind === 'result' && call) return `${call.name} ${call.target.slice(0, 120).replace(/\s+/g, ' ')}`.trim();
  if (line.kind === 'input' && call)
    return `${call.name} ${call.target.slice(0, 120).replace(/\s+/g, ' ')} (given)`.trim();
  return line.kind === 'result' ? 'tool' : line.kind;
}

function lastWords(record: TurnRecord): string[] {
  const last = record.lines.findLast((line) => line.kind === 'agent');
  if (!last) return [];
  return record.lines
    .filter((line) => line.kind === 'agent' && line.at === last.at)
    .slice(-4)
    .map((line) => line.text.trim());
}

function keepBlocks(blocks: readonly ExcerptBlock[], room: number): ExcerptBlock[] {
  let left = room;
  const kept: ExcerptBlock[] = [];
  for (const block of blocks.toReversed()) {
    const cost = blockCost(block);
    if (cost > left) continue;
    left -= cost;
    kept.push(block);
  }
  return kept.reverse();
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

function listItems(section: string): string[] {
  return readNumbered(section).map((item) => item.text);
}

function carried(section: string): string[] {
  return listItems(section).map(bullet);
}

function cleared(section: string, empty: string): string {
  return section.trim() === empty ? '' : section;
}

function bullet(text: string): string {
  return `- ${text}`;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))];
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, 400);
}

/** The start of a text that fits, cut at a line end, with a mark that says so. */
function fit(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let cut = Math.max(80, Math.floor((text.length * tokens) / estimateTokens(text)));
  const line = text.lastIndexOf('\n', cut);
  if (line > cut / 2) cut = line;
  return `${text.slice(0, cut).trimEnd()}\n[... ${text.length - cut} characters left out ...]`;
}
