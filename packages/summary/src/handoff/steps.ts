import { readToolName, resultReader, toolClass } from '@palimpsest/agents';
import {
  failingLines,
  isStep,
  oneLine,
  outcomeLines,
  type TranscriptLines,
  truncate,
} from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { isTodoTool } from '../work-record/work/todo-items.ts';
import { ellipsize, type Item, item } from './item.ts';
import type { MaterialRecord } from './material.ts';

/** Maximum length of the input of a call, in its forms. Tokens. */
const [maxInputTokens, shortInput] = [500, 120] as const;
/** Length of the shortest form of a call. Characters. */
const maxHeadLength = 400;
/** Maximum length of a line that reports a failure. Characters. */
const maxErrorLength = 200;
const maxSteps = 400;

/** A call of the agent. */
export interface Step extends Item {
  /** True for a call of any tool that failed; false for a command or a change. */
  readonly isFailed: boolean;
}

/**
 * What the agent did, oldest first: its commands and changes with their outcome, and failed calls of other tools. Failed
 * calls have their errors. Of equal calls with the same outcome, only the newest is listed.
 */
export function stepItems({ work, isSummarized }: MaterialRecord): Step[] {
  const { calls, lines } = work.transcriptLines;
  const outcomes = outcomeLines(work.transcriptLines);
  const errors = errorsOf(work.transcriptLines);
  const refusals = refusalsOf(work.transcriptLines);
  const steps = new Map<string, Step>();
  for (const [at, call] of calls.entries()) {
    const { tool } = readToolName(call.name);
    if (!isSummarized(call.at) || isTodoTool(tool)) continue;
    const isAction = isStep(call);
    const refusal = refusals.get(at);
    const success = work.passed.get(call.answeredAt);
    const outcome = refusal ?? (success === undefined ? outcomes.get(at) : success || undefined);
    // A lookup has an outcome only if it failed. What a command shows may be an error of something else.
    if (!isAction && (outcome === undefined || toolClass(tool) === 'command')) continue;
    const head = oneLine(lines[call.line]?.kind === 'call' ? lines[call.line]!.text : call.name);
    const input = inputOf(work.transcriptLines, at);
    if (head === call.name && input.length === 0) continue;
    const errorLines = success !== undefined ? undefined : isAction && refusal === undefined ? errors.get(at) : [];
    // The report of a sub-agent has no outcome, and may mention errors.
    const isFailed = outcome !== undefined && errorLines !== undefined;
    const forms = isFailed ? formsOfFailure(head, outcome, errorLines) : formsOfSuccess(head, outcome, input);
    const key = forms[0]!;
    steps.delete(key);
    steps.set(key, { ...item('-', forms, call.answeredAt < 0 ? [call.at] : [call.at, call.answeredAt]), isFailed });
  }
  return [...steps.values()].slice(-maxSteps);
}

const headOf = (head: string, outcome: string): string => `${head} -> ${oneLine(outcome)}`;

function formsOfFailure(head: string, outcome: string, errors: readonly string[]): string[] {
  const more = errors.filter((line) => !line.startsWith(outcome));
  const short = headOf(ellipsize(head, maxHeadLength), outcome);
  return [[headOf(head, outcome), ...more], [short, ...more], [short]].map((lines) => lines.join('\n'));
}

function formsOfSuccess(head: string, outcome: string | undefined, input: readonly string[]): string[] {
  const withOutcome = (start: string): string => (outcome === undefined ? start : headOf(start, outcome));
  const forms = [maxInputTokens, shortInput].map((maxTokens) =>
    [withOutcome(head), ...within(input, maxTokens)].join('\n'),
  );
  // The list of changed files has a change without its text.
  return outcome === undefined && input.length > 0 ? forms : [...forms, withOutcome(ellipsize(head, maxHeadLength))];
}

/** The lines of results that report failures, by index of the call. */
function errorsOf(turns: TranscriptLines): ReadonlyMap<number, readonly string[]> {
  const errors = new Map<number, string[]>();
  for (const { line, text } of failingLines(turns)) {
    const { call } = turns.lines[line]!;
    errors.set(call, [...(errors.get(call) ?? []), truncate(oneLine(text).trim(), maxErrorLength)]);
  }
  return errors;
}

/** The first lines of the results of calls that the user refused, by index of the call. Such a call did nothing. */
function refusalsOf({ calls, lines }: TranscriptLines): ReadonlyMap<number, string> {
  const refusals = new Map<number, string>();
  for (const { call, kind, number, text } of lines)
    if (kind === 'result' && call >= 0 && number === 1 && isStep(calls[call]!) && resultReader.isRefusal(text))
      refusals.set(call, truncate(oneLine(text).trim(), maxErrorLength));
  return refusals;
}

/** The input of a call, as lines. */
function inputOf({ calls, lines }: TranscriptLines, at: number): string[] {
  const input: string[] = [];
  for (let index = calls[at]!.line + 1; lines[index]?.kind === 'input' && lines[index]!.call === at; index++)
    input.push(lines[index]!.text);
  return input;
}

/** The first lines that fit, with a mark if there are more. */
function within(lines: readonly string[], maxTokens: number): string[] {
  let left = maxTokens;
  const end = lines.findIndex((line) => (left -= estimateTokens(line) + 1) < 0);
  return end < 0 ? [...lines] : [...lines.slice(0, end), '[...]'];
}
