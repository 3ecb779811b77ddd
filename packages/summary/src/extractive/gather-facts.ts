import { contentText, isRequest, type Message, readHandoff, type SummaryMaterial } from '@palimpsest/core';
import { separateSpeech } from '@palimpsest/core/authoring';
import {
  failingLines,
  focusWords,
  oneLine,
  outcomeLines,
  type RankedLines,
  rankLines,
  readTurns,
  type TurnLines,
} from '@palimpsest/salience';
import { hostInstructions } from '../grounding/host-instructions.ts';
import { openRequests } from '../grounding/open-requests.ts';
import type { StandingRule } from '../grounding/standing-rules.ts';
import { type ListedRule, statedRules } from '../grounding/stated-rules.ts';
import type { UserWords } from '../source/user-words.ts';
import { userQuestions } from './answered-questions.ts';
import { decisionSentences } from './decisions.ts';
import { todoItems } from './todo-items.ts';
import { touchedFiles } from './touched-files.ts';
import { workingState } from './working-state.ts';

/** What rules find in the turns, whatever the budget. Lists stand in the order of their worth. */
export interface TurnFacts {
  readonly record: TurnLines;
  readonly ranked: RankedLines;
  /** Lines worth keeping, the best first. */
  readonly order: readonly number[];
  /** By call: the line of its result that tells most. */
  readonly outcomes: ReadonlyMap<number, string>;
  /** What people said, and what of it is open. */
  readonly said: readonly UserWords[];
  readonly open: readonly UserWords[];
  readonly rules: readonly StandingRule[];
  /** Instructions from system messages among the turns. */
  readonly instructions: readonly ListedRule[];
  readonly state: readonly string[];
  readonly progress: readonly string[];
  readonly blocked: readonly string[];
  readonly decisions: readonly string[];
  readonly answered: readonly string[];
  readonly asks: readonly string[];
  readonly files: readonly string[];
  readonly remaining: readonly string[];
}

/** Reads the turns once. */
export function gatherFacts(material: SummaryMaterial): TurnFacts {
  const messages = material.messages.map(withoutHandoff);
  const { requests: typed } = material;
  const real = new Set(typed ?? [...messages.keys()].filter((at) => isRequest(messages[at]!, at, messages)));
  const isReal = (at: number): boolean => real.has(at);
  const carried = new Set(material.carried);
  const record = readTurns(messages, isReal);
  const ranked = rankLines(record, focusWords(material.focusTopic));
  const order = Array.from(record.lines.keys()).filter((index) => !carried.has(record.lines[index]!.at));
  order.sort((a, b) => ranked.scores[b]! - ranked.scores[a]! || b - a);
  const said = messages.flatMap((message, index) => {
    const own = typed ? message : separateSpeech(message).said;
    const text = isReal(index) ? contentText(own?.content).trim() : '';
    return text === '' ? [] : [{ index, text, carried: carried.has(index) }];
  });
  const questions = userQuestions(messages, isReal);
  const todo = todoItems(messages);
  const unanswered = record.calls.filter((call) => call.answeredAt < 0).map((call) => record.lines[call.line]!.text);
  return {
    record,
    ranked,
    order,
    outcomes: outcomeLines(record),
    said,
    open: openRequests(said),
    instructions: hostInstructions(messages),
    rules: said.flatMap((one) => statedRules(one, messages)),
    state: lines(workingState(record)),
    progress: lines([...todo.underWay, ...unanswered, ...lastWords(record)]),
    blocked: lines(
      failingLines(record)
        .filter((one) => !one.resolved)
        .reverse()
        .map((one) => one.text),
    ).slice(0, 12),
    decisions: lines(
      decisionSentences(record)
        .reverse()
        .map((one) => one.text),
    ),
    answered: lines([...questions.answered].reverse()),
    asks: lines(questions.open),
    files: lines(
      touchedFiles(record).map(
        ({ path, changed, read }) =>
          `${path} (${[changed > 0 && `changed ${changed}x`, read > 0 && `read ${read}x`].filter(Boolean).join(', ')})`,
      ),
    ),
    remaining: lines(todo.pending),
  };
}

/** The items trimmed, blank ones and repeats left out. */
export function unique(items: readonly string[]): string[] {
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))];
}

/** Like {@link unique}, but puts each item on one line, so that quoted text cannot imitate a line of the record. */
function lines(items: readonly string[]): string[] {
  return unique(items.map(oneLine));
}

function withoutHandoff(message: Message): Message {
  const handoff = readHandoff(message);
  return handoff ? { ...message, content: handoff.rest } : message;
}

/** The end of what the agent said last: what it was about to do. */
function lastWords(record: TurnLines): string[] {
  const last = record.lines.findLast((line) => line.kind === 'agent');
  if (!last) return [];
  return record.lines
    .filter((line) => line.kind === 'agent' && line.at === last.at)
    .slice(-4)
    .map((line) => line.text.trim());
}
