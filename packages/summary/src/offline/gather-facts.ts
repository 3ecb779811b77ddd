import type { SummaryMaterial } from '@palimpsest/core';
import { focusWords, type LineRanks, oneLine, outcomeLines, rankLines, type TurnLines } from '@palimpsest/salience';
import { readWorkRecord, type TouchedFile, type WorkingState, type WorkRecord } from '@palimpsest/work-record';

/** Longest list of unresolved errors. */
const mostErrors = 12;

/** What the offline writer writes from: the work record as list items, and the ranked lines of the turns. */
export interface TurnFacts {
  readonly work: WorkRecord;
  readonly record: TurnLines;
  readonly ranked: LineRanks;
  /** Indices of the lines that may be quoted, the best first. */
  readonly order: readonly number[];
  /** By call, the line of its result that tells how it ended. */
  readonly outcomes: ReadonlyMap<number, string>;
  // Items of the sections, the most important first, each on one line.
  readonly state: readonly string[];
  readonly progress: readonly string[];
  readonly blocked: readonly string[];
  readonly decisions: readonly string[];
  readonly answered: readonly string[];
  readonly asks: readonly string[];
  readonly files: readonly string[];
  readonly remaining: readonly string[];
}

/** Reads the turns once: their work record, and the ranking of their lines. */
export function gatherFacts(material: SummaryMaterial): TurnFacts {
  const { messages, requests, focusTopic } = material;
  const work = readWorkRecord({ messages, requests, carried: material.carried });
  const { turns: record, todo, questions } = work;
  const ranked = rankLines(record, focusWords(focusTopic));
  const carried = new Set(material.carried);
  const order = [...record.lines.keys()].filter((index) => !carried.has(record.lines[index]!.at));
  order.sort((a, b) => ranked.scores[b]! - ranked.scores[a]! || b - a);
  return {
    work,
    record,
    ranked,
    order,
    outcomes: outcomeLines(record),
    state: items(stateItems(work.state)),
    progress: items([...todo.inProgress, ...texts(work.pendingCalls), ...texts(work.lastWords)]),
    blocked: items(texts(work.failures.filter((one) => !one.resolved)).reverse()).slice(0, mostErrors),
    decisions: items(texts(work.decisions).reverse()),
    answered: items(questions.answered.map(({ question, answer }) => `${question} - ${answer}`).reverse()),
    asks: items(questions.open.map(({ question }) => question)),
    files: items(work.files.map(fileItem)),
    remaining: items(todo.pending),
  };
}

/** The items trimmed, without blank ones and repetitions. */
export function unique(all: readonly string[]): string[] {
  return [...new Set(all.map((item) => item.trim()).filter(Boolean))];
}

/** Like {@link unique}, but puts each item on one line, so that quoted text cannot imitate a line of the summary. */
function items(all: readonly string[]): string[] {
  return unique(all.map(oneLine));
}

function texts(all: readonly { readonly text: string }[]): string[] {
  return all.map(({ text }) => text);
}

function stateItems({ directory, branch, tests }: WorkingState): string[] {
  return [directory && `cwd: ${directory.text}`, branch && `branch: ${branch.text}`, tests?.text].filter(
    (line) => typeof line === 'string',
  );
}

function fileItem({ path, changed, read }: TouchedFile): string {
  const counts = [changed > 0 && `changed ${changed}x`, read > 0 && `read ${read}x`].filter(Boolean);
  return `${path} (${counts.join(', ')})`;
}
