import { readToolName } from '@palimpsest/agents';
import type { SummaryLine, SummaryMaterial } from '@palimpsest/core';
import {
  callPurpose,
  focusWords,
  isStep,
  type LineRanks,
  oneLine,
  outcomeLines,
  rankLines,
  type TurnCall,
  type TurnLines,
} from '@palimpsest/pruner/salience';
import { type MaterialRecord, readMaterial } from '../record/read-material.ts';
import { referredLines } from '../record/referred-lines.ts';
import type { WorkRecord } from '../work-record/read-work-record.ts';
import type { Lookups } from '../work-record/work/lookups.ts';
import { isTodoTool } from '../work-record/work/todo-items.ts';
import type { Observed } from '../work-record/work/working-state.ts';
import { listProgress } from './list-progress.ts';

/** Maximum number of unresolved errors to list. */
const mostErrors = 12;
/** Maximum age in calls of an error that still blocks the work. Older errors count as resolved. */
const newestErrors = 40;
/** Matches an error that states nothing but that it is one. */
const saysNoMore: RegExp = /^[\P{L}]*(?:errors?|fail(?:ed|ures?)?)[\P{L}]*$/iu;
/** Maximum number of questions to list. */
const mostQuestions = 24;

/** Input of the offline writer: the work record and the ranked lines of the turns. */
export interface TurnFacts {
  /** The work record of all messages in the material: before the summary, replaced by it, and after it. */
  readonly work: WorkRecord;
  readonly record: TurnLines;
  /** True for the index of a message that the summary replaces. */
  readonly isFolded: (index: number) => boolean;
  /** Converts the sources of lines from message indices to positions in the messages that the summary replaces. */
  readonly positions: MaterialRecord['positions'];
  readonly ranked: LineRanks;
  /** Indices of the lines that may be quoted, best first. */
  readonly order: readonly number[];
  /** Indices of the `call` lines of commands, changes, delegated tasks and other actions, newest first, without repetitions. */
  readonly steps: readonly number[];
  /** Indices of the agent's lines to which the open requests refer. */
  readonly referred: readonly number[];
  /** For each call, the line of its result that shows how it ended. */
  readonly outcomes: ReadonlyMap<number, string>;
  // Items of the less important sections, most important first, each on one line, with indices of messages.
  readonly state: readonly SummaryLine[];
  readonly progress: readonly SummaryLine[];
  readonly blocked: readonly SummaryLine[];
  readonly answered: readonly (SummaryLine & { readonly answer: string })[];
  readonly asks: readonly SummaryLine[];
  /** What the agent looked at in the folded messages. */
  readonly lookups: Lookups;
}

const workingState: RegExp = /^(?:cwd|branch): /;

/** True for an item that {@link gatherFacts} writes for the working directory or the branch. */
export function isWorkingState(item: string): boolean {
  return workingState.test(item);
}

/** Reads the work record of the turns and ranks their lines, in one pass over the turns. */
export function gatherFacts(material: SummaryMaterial): TurnFacts {
  const { work, isFolded, positions, carried } = readMaterial(material);
  const { turns: record, questions } = work;
  const ranked = rankLines(record, focusWords(material.focusTopic));
  const verbatim = new Set(carried);
  // The task list is told as the plan.
  const isTodoCall = record.calls.map(({ name }) => isTodoTool(readToolName(name).tool));
  const order = [...record.lines.keys()].filter((index) => {
    const { at, kind, call } = record.lines[index]!;
    return isFolded(at) && !verbatim.has(at) && !(kind === 'call' && isTodoCall[call]);
  });
  order.sort((a, b) => ranked.scores[b]! - ranked.scores[a]! || b - a);
  const folded = <One extends { readonly index: number }>(all: readonly One[]): One[] =>
    all.filter(({ index }) => isFolded(index));
  const failures = work.failures.filter(({ line, text, resolved }) => {
    const { at, call } = record.lines[line]!;
    if (resolved || !isFolded(at) || call < record.calls.length - newestErrors || saysNoMore.test(text)) return false;
    const purpose = callPurpose(record.calls[call]!);
    return purpose === 'action' || purpose === 'change';
  });
  const { directory, branch } = work.state;
  const ends = new Set(work.conclusions.filter(({ endsTurn }) => endsTurn).map(({ index }) => index));
  return {
    work,
    record,
    isFolded,
    positions,
    ranked,
    order,
    steps: stepsOf(record, (call, at) => isFolded(call.at) && !isTodoCall[at]),
    referred: referredLines(record, work.openRequests).filter((index) => isFolded(record.lines[index]!.at)),
    outcomes: outcomeLines(record),
    state: items([
      ...(directory ? [{ index: directory.index, text: `cwd: ${directory.text}` }] : []),
      ...(branch ? [{ index: branch.index, text: `branch: ${branch.text}` }] : []),
    ]),
    progress: listProgress(work, record.calls).filter(({ from }) => from.every(isFolded)),
    blocked: items(failures.map(({ line, text }) => ({ index: record.lines[line]!.at, text })).reverse()).slice(
      0,
      mostErrors,
    ),
    // The list of messages already has the answer at the end of a turn.
    answered: folded(questions.answered)
      .filter(({ answeredAt }) => !ends.has(answeredAt))
      .slice(-mostQuestions)
      .map(({ index, question, answeredAt, answer: given }) => {
        const answer = oneLine(given);
        return { text: `${oneLine(question)} - ${answer}`, from: [index, answeredAt], answer };
      })
      .reverse(),
    asks: items(
      folded(questions.open)
        .slice(-mostQuestions)
        .filter(({ index }) => closedAfter(work.log, index) < mostClosedAfter)
        .map(({ index, question }) => ({ index, text: question })),
    ),
    lookups: {
      files: folded(work.lookups.files),
      searches: folded(work.lookups.searches),
      urls: folded(work.lookups.urls),
    },
  };
}

/** A question without an answer is dropped after this many later requests were closed: the user did not ask again. */
const mostClosedAfter = 3;

/** Number of requests after a message that are done or answered. */
function closedAfter(log: WorkRecord['log'], index: number): number {
  return log.filter((one) => one.index > index && (one.result === 'done' || one.result === 'answered')).length;
}

/** Maximum number of steps to list first. */
const mostSteps = 60;

/** Matches the end of a command that only filters its output. */
const outputFilters: RegExp = /(?:\s+(?:2>&1|[2&]>\s?\/dev\/null|\|(?!\|)[^|&;\n]*))+$/;

/**
 * Returns the `call` lines of the newest calls that did something, other than to look something up. Of calls that did the
 * same, only the newest one.
 * @param mayList true for a call that may be listed
 */
function stepsOf({ calls, lines }: TurnLines, mayList: (call: TurnCall, at: number) => boolean): number[] {
  const steps = new Map<string, number>();
  for (let at = calls.length - 1; at >= 0 && steps.size < mostSteps; at--) {
    const call = calls[at]!;
    if (!mayList(call, at) || !isStep(call)) continue;
    const done = call.target === '' ? lines[call.line]!.text : `${call.name} ${call.target.replace(outputFilters, '')}`;
    if (!steps.has(done)) steps.set(done, call.line);
  }
  return [...steps.values()];
}

/** Trims the items, removes blank ones, and merges equal ones with their sources. */
export function unique(all: readonly SummaryLine[]): SummaryLine[] {
  const found = new Map<string, Set<number>>();
  for (const { text, from } of all) {
    const item = text.trim();
    if (item === '') continue;
    const sources = found.get(item) ?? new Set();
    found.set(item, sources);
    for (const source of from) sources.add(source);
  }
  return [...found].map(([text, sources]) => ({ text, from: [...sources] }));
}

/**
 * Like {@link unique}, but also puts each item on one line, so that quoted text cannot imitate a line of the summary.
 */
function items(all: readonly Observed[]): SummaryLine[] {
  return unique(all.map(({ index, text }) => ({ text: oneLine(text), from: [index] })));
}
