import { isRecallTool, readOutcome, readToolName, toolClass } from '@palimpsest/agents';
import { contentText, isToolResult, type Message, toolCallName, toolCalls } from '@palimpsest/core';
import { commandVerdicts, todoItems, type Verdict } from '@palimpsest/work-record/progress';

/**
 * A good moment to compact, because little of what was said before is needed next, or because it costs less: a user turn
 * ended, an item of the agent's todo list was closed, the tests passed after edits, the provider's cache is cold.
 */
export type Moment = 'turn-end' | 'todo-closed' | 'tests-passed' | 'cache-cold';

/** What {@link momentOf} decides from. */
export interface MomentFacts {
  /** The history of the caller. */
  readonly history: readonly Message[];
  /** True for a user message, given by index, with a request of the user. */
  readonly isRequest: (index: number) => boolean;
  /** Milliseconds since the last request or answer; `null` before the first. */
  readonly idleMs: number | null;
  /** How long the provider keeps its cache, in milliseconds. */
  readonly cacheMs: number;
}

/** Number of newest messages of a turn that are read. */
const mostMessages = 200;
/** Failed commands and edits in a row during which the agent needs what it has seen. */
const failuresInARow = 2;

/**
 * Says which moment it is, before the next request. Pure.
 * @returns `failing` while the agent's commands and edits fail; `null` in the middle of other work
 */
export function momentOf({ history, isRequest, idleMs, cacheMs }: MomentFacts): Moment | 'failing' | null {
  const request = history.findLastIndex((_, index) => isRequest(index));
  const turn = history.slice(Math.max(request + 1, history.length - mostMessages));
  const answered = turn.findLastIndex(({ role }) => role === 'assistant');
  if (answered < 0) return history.slice(0, Math.max(0, request)).some(isAnswer) ? 'turn-end' : null;
  if (idleMs !== null && idleMs >= cacheMs) return 'cache-cold';
  const verdicts = commandVerdicts(turn);
  if (isFailing(turn, verdicts)) return 'failing';
  if (closedItems(turn) > closedItems(turn.slice(0, answered))) return 'todo-closed';
  const isEdited = turn.slice(0, answered).some(hasEdit);
  return isEdited && hasPassed(verdicts, answered) ? 'tests-passed' : null;
}

const isAnswer = ({ role }: Message): boolean => role === 'assistant';

function closedItems(messages: readonly Message[]): number {
  return todoItems(messages).items.filter(({ status }) => status === 'done').length;
}

function hasEdit(message: Message): boolean {
  return toolCalls(message).some((call) => kindOf(toolCallName(call)) === 'write');
}

const kindOf = (name: string): ReturnType<typeof toolClass> => toolClass(readToolName(name).tool);

/** True if checks passed in the newest results, and nothing else fails. */
function hasPassed(verdicts: readonly Verdict[], from: number): boolean {
  const checks = verdicts.filter(({ family }) => !family.startsWith('git'));
  return (
    checks.some(({ outcome, index }) => outcome === 'passed' && index > from) &&
    checks.every(({ outcome }) => outcome !== 'failed')
  );
}

/** True if the last commands and edits failed. Lookups between them do not count. */
function isFailing(turn: readonly Message[], verdicts: readonly Verdict[]): boolean {
  const failedAt = new Set(verdicts.filter(({ outcome }) => outcome === 'failed').map(({ index }) => index));
  const names = new Map(turn.flatMap((message) => toolCalls(message).map((call) => [call.id, toolCallName(call)])));
  let failures = 0;
  for (let at = turn.length - 1; at >= 0 && failures < failuresInARow; at--) {
    const message = turn[at]!;
    if (!isToolResult(message) || message.role !== 'tool') continue;
    const name = names.get(message.tool_call_id ?? '') ?? '';
    const kind = kindOf(name);
    if (isRecallTool(name) || (kind !== 'command' && kind !== 'write')) continue;
    if (!failedAt.has(at) && !readOutcome(contentText(message.content)).failed) return false;
    failures++;
  }
  return failures >= failuresInARow;
}
