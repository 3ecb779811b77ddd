import { readToolName, toolClass } from '@palimpsest/agents';
import { failingLines, isStep, oneLine, outcomeLines, truncate } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { isTodoTool } from '../work-record/work/todo-items.ts';
import { ellipsized, type Item, item } from './item.ts';
import type { MaterialRecord } from './material.ts';

/** Maximum length of what a call was given, in its forms. Tokens. */
const [longestInput, shortInput] = [500, 120] as const;
/** Length of the shortest form of a call. Characters. */
const longestHead = 400;
/** Maximum length of a line that tells of a failure. Characters. */
const longestError = 200;
const mostSteps = 400;

/** What the agent did, oldest first. */
export interface Steps {
  /** Commands and changes, as they were, each with how it ended. */
  readonly done: readonly Item[];
  /** Calls of any tool that failed, with their errors. */
  readonly failed: readonly Item[];
}

/** Reads what the agent did. */
export function readSteps({ work, isFolded }: MaterialRecord): Steps {
  const { calls, lines } = work.turns;
  const outcomes = outcomeLines(work.turns);
  const errors = new Map<number, string[]>();
  for (const { line, text } of failingLines(work.turns)) {
    const { call } = lines[line]!;
    if (isStep(calls[call]!))
      errors.set(call, [...(errors.get(call) ?? []), truncate(oneLine(text).trim(), longestError)]);
  }
  const done: Item[] = [];
  const failed = new Map<string, Item>();
  for (const [at, call] of calls.entries()) {
    const outcome = outcomes.get(at);
    if (!isFolded(call.at) || isTodoTool(readToolName(call.name).tool)) continue;
    const head = oneLine(lines[call.line]?.kind === 'call' ? lines[call.line]!.text : call.name);
    const ended = outcome === undefined ? head : `${head} -> ${oneLine(outcome)}`;
    const short = `${ellipsized(head, longestHead)}${ended.slice(head.length)}`;
    const from = call.answeredAt < 0 ? [call.at] : [call.at, call.answeredAt];
    // Another call has an outcome only if it failed. What a command shows may be an error of something else.
    const hasFailed = !isStep(call) && outcome !== undefined && toolClass(readToolName(call.name).tool) !== 'command';
    const told = errors.get(at) ?? (hasFailed ? [] : null);
    if (told) {
      const more = told.filter((line) => !line.startsWith(outcome ?? line));
      const text = [ended, ...more].join('\n');
      // Of equal failures, the newest.
      failed.delete(text);
      failed.set(text, item('-', [text, [short, ...more].join('\n'), short], from));
    } else if (isStep(call)) {
      const input: string[] = [];
      for (let index = call.line + 1; lines[index]?.kind === 'input' && lines[index]!.call === at; index++)
        input.push(lines[index]!.text);
      if (head === call.name && input.length === 0) continue;
      const forms = [longestInput, shortInput].map((most) => [ended, ...within(input, most)].join('\n'));
      // A change without its text is told by the list of changed files.
      done.push(item('-', ended === head && input.length > 0 ? forms : [...forms, short], from));
    }
  }
  return { done: done.slice(-mostSteps), failed: [...failed.values()].slice(-mostSteps) };
}

/** The first lines that fit, with a mark if there are more. */
function within(lines: readonly string[], most: number): string[] {
  let left = most;
  const end = lines.findIndex((line) => (left -= estimateTokens(line) + 1) < 0);
  return end < 0 ? [...lines] : [...lines.slice(0, end), '[...]'];
}
