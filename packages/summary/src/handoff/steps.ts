import { readToolName } from '@palimpsest/agents';
import { isStep, oneLine, outcomeLines } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { isTodoTool } from '../work-record/work/todo-items.ts';
import { earlierItem, ellipsized, type Item, item } from './item.ts';
import type { MaterialRecord } from './material.ts';

/** Maximum length of what a call was given, in its forms. Tokens. */
const [longestInput, shortInput] = [500, 120] as const;
/** Length of the shortest form of a call. Characters. */
const longestHead = 400;
const mostSteps = 400;

/** The agent's commands and changes, as they were, each with how it ended. */
export function stepItems({ work, isFolded }: MaterialRecord, earlier: readonly string[]): Item[] {
  const { calls, lines } = work.turns;
  const outcomes = outcomeLines(work.turns);
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
        [...forms, `${ellipsized(head, longestHead)}${outcome}`],
        call.answeredAt < 0 ? [call.at] : [call.at, call.answeredAt],
      ),
    ];
  });
  return [...earlier.map(earlierItem), ...steps.slice(-mostSteps)];
}

/** The first lines that fit, with a mark if there are more. */
function within(lines: readonly string[], most: number): string[] {
  let left = most;
  const end = lines.findIndex((line) => (left -= estimateTokens(line) + 1) < 0);
  return end < 0 ? [...lines] : [...lines.slice(0, end), '[...]'];
}
