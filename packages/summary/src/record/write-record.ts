import type { SummaryLine, SummaryMaterial, SummaryTemplate } from '@palimpsest/core';
import { type ExcerptBlock, formatExcerpts } from '../template/excerpts.ts';
import { parseSummary } from '../template/parse-summary.ts';
import { PreviousSections } from '../template/previous-sections.ts';
import { roleMap, type SectionRole } from '../template/section-role.ts';
import type { WorkRecord } from '../work-record/read-work-record.ts';
import { excerptBlocks, excerptLines, type SourcedBlock } from './excerpt-blocks.ts';
import { type FittedList, fitList, importantTokens, type ShortenableList } from './fit-list.ts';
import { decisionList } from './list-decisions.ts';
import { fileList } from './list-files.ts';
import { messageList } from './list-messages.ts';
import { planList } from './list-plan.ts';
import { verdictList } from './list-verdicts.ts';
import { type MaterialRecord, readMaterial } from './read-material.ts';
import { namesItems, referredLines } from './referred-lines.ts';

/** The sections that rules write, as list items by role. */
export interface RecordSections {
  readonly items: ReadonlyMap<SectionRole, readonly string[]>;
  /** Lines of the items whose source is known. */
  readonly lines: ReadonlyMap<SectionRole, readonly SummaryLine[]>;
  /** Lines of the agent's earlier answers to which the open requests refer. */
  readonly referred: readonly ExcerptBlock[];
  /** Estimated tokens of all items. */
  readonly tokens: number;
}

/** An empty record. */
export const noRecord: RecordSections = { items: new Map(), lines: new Map(), referred: [], tokens: 0 };

/** Formats the record as text with the headings of the template; `''` for an empty record. */
export function recordText({ items }: RecordSections, template: SummaryTemplate): string {
  const roles = roleMap(template);
  return [...items]
    .filter(([, lines]) => lines.length > 0)
    .map(([role, lines]) => `${template.sections[roles.place(role)]!.heading}:\n${lines.join('\n')}`)
    .join('\n\n');
}

/** Input of {@link writeRecord}. */
export interface RecordInput extends Pick<MaterialRecord, 'work' | 'isFolded'> {
  /** The sections of the previous summary. */
  readonly previous: PreviousSections;
  /** Maximum tokens of the record, estimated. */
  readonly room: number;
}

/** Up to this many tokens of the budget, the record gets a smaller share, to leave room for quotations. */
const smallBudget = 4_000;
const shareOfSmall = 0.4;
/** The record's share of the budget beyond {@link smallBudget}. */
const shareOfRest = 0.5;

/** The sections that the record writes. */
type RecordRole = Extract<SectionRole, 'log' | 'files' | 'state' | 'remaining' | 'decisions'>;

/** Maximum share of the record's room for entries that matter more than all others: the user's decisions. */
const importantShare = 0.25;
/**
 * Shares of the record's room per list, in order of priority: `first` is for the first round, `most` is the maximum.
 * The maximum for decisions is low, because agents give many reasons and these can be found again.
 */
const shares: readonly (readonly [RecordRole, first: number, most: number])[] = [
  ['log', 0.4, 1],
  ['files', 0.35, 1],
  ['state', 0.25, 1],
  ['remaining', 0.25, 1],
  ['decisions', 0.12, 0.2],
];

/**
 * Writes the record for the summary of a material. Sources of lines are positions in the messages of the material.
 * @param budgetTokens tokens of the whole summary
 */
export function recordOf(material: SummaryMaterial, budgetTokens: number): RecordSections {
  const { template } = material;
  const previous = new PreviousSections(parseSummary(material.previousSummary ?? '', template), template);
  const { work, isFolded, positions } = readMaterial(material);
  const record = writeRecord({ work, isFolded, previous, room: recordRoom(budgetTokens) });
  const referred = referredBlocks(work, isFolded);
  const lines = new Map([...record.lines].map(([role, some]) => [role, positions(some)]));
  lines.set('context', positions(excerptLines(formatExcerpts(referred), referred)));
  return { ...record, lines, referred };
}

function referredBlocks(work: WorkRecord, isFolded: RecordInput['isFolded']): SourcedBlock[] {
  const requests = work.openRequests.filter(namesItems);
  // Most requests name none, and the lines of all messages need not be read.
  if (requests.length === 0) return [];
  const { turns } = work;
  const chosen = new Uint8Array(turns.lines.length);
  for (const index of referredLines(turns, requests)) chosen[index] = isFolded(turns.lines[index]!.at) ? 1 : 0;
  return excerptBlocks(turns, chosen, new Map());
}

/** Returns the maximum tokens of the record within the budget of a summary. */
export function recordRoom(budgetTokens: number): number {
  const small = Math.min(budgetTokens, smallBudget);
  return Math.floor(small * shareOfSmall + (budgetTokens - small) * shareOfRest);
}

/**
 * Writes the parts of a summary that must not get lost, from the work record: the user's messages, changed files, last
 * verdicts, plan, and decisions. Each list is shortened to its room and states what it omits. Unused room goes to the
 * next list. Sources of lines are indices in the work record.
 */
export function writeRecord(input: RecordInput): Omit<RecordSections, 'referred'> {
  const { room } = input;
  const lists = recordLists(input);
  const fittedLists = new Map<SectionRole, FittedList>();
  const rooms = new Map<SectionRole, number>();
  let left = room;
  for (const round of ['important', 'first', 'last'] as const) {
    for (const [role, first, most] of shares) {
      const before = fittedLists.get(role)?.tokens ?? 0;
      const important = Math.min(importantTokens(lists[role]), room * importantShare);
      const limit = Math.max(important, round === 'important' ? 0 : room * (round === 'last' ? most : first));
      // With less room than in an earlier round, a list could lose an entry.
      const own = Math.max(rooms.get(role) ?? 0, Math.min(before + left, limit));
      const fitted = fitList(lists[role], own);
      left += before - fitted.tokens;
      rooms.set(role, own);
      fittedLists.set(role, fitted);
    }
  }
  const items = new Map<SectionRole, readonly string[]>();
  const lines = new Map<SectionRole, readonly SummaryLine[]>();
  for (const [role, fitted] of fittedLists) {
    const written = fitted.items();
    items.set(
      role,
      written.map((item) => item.map(({ text }) => text).join('\n')),
    );
    lines.set(
      role,
      written.flat().filter(({ from }) => from.length > 0),
    );
  }
  return { items, lines, tokens: room - left };
}

function recordLists({ work, previous, isFolded }: RecordInput): Readonly<Record<RecordRole, ShortenableList>> {
  const changes = work.changes.filter(({ index }) => isFolded(index));
  const verdicts = work.verdicts.filter(({ index }) => isFolded(index));
  return {
    log: messageList(work.log, work.conclusions, previous.numbered('log'), isFolded),
    files: fileList(changes, previous.placed('files'), isFolded),
    state: verdictList(verdicts, previous.placed('state')),
    remaining: planList(work, isFolded, previous.items('remaining')),
    decisions: decisionList(work, isFolded, previous.items('decisions')),
  };
}
