import { isJson } from '../json/json-value.ts';
import {
  hasToolCalls,
  isBlank,
  isSystem,
  isToolResult,
  lacksContent,
  type Message,
  type Role,
  toolCallInput,
  toolCalls,
} from './message.ts';

/**
 * How strictly a provider checks roles and tool calls. `openai`: chat completions, where only tool pairing matters.
 * `anthropic`: roles alternate once tool results count as user turns. `strict`: chat templates like those of Mistral
 * and Gemma, which fail unless user and assistant turns alternate, starting with a user.
 */
export type Dialect = 'openai' | 'anthropic' | 'strict';

export const dialects: readonly Dialect[] = ['openai', 'anthropic', 'strict'];

export type ViolationRule =
  | 'role-unknown'
  | 'user-empty'
  | 'assistant-empty'
  | 'result-empty'
  | 'call-unanswered'
  | 'call-id-duplicate'
  | 'arguments-not-json'
  | 'result-orphan'
  | 'result-misplaced'
  | 'system-misplaced'
  | 'first-not-user'
  | 'roles-not-alternating';

/** A violation for which a provider would reject the transcript. */
export interface Violation {
  /** Index of the invalid message. */
  readonly index: number;
  /** Indices of all messages that the rule involves, in order, including `index`. */
  readonly involved: readonly number[];
  readonly rule: ViolationRule;
  /** One sentence, without conversation text. */
  readonly reason: string;
}

const roles: ReadonlySet<Role> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/**
 * Lists what a provider with the given dialect would reject, in message order and in one pass. Calls that are still
 * pending at the very end of the transcript are not violations, because their results are still to come.
 * @param options.dialect `openai` checks tool pairs, JSON arguments and emptiness; the others add rules for roles. @default 'openai'
 */
export function validateTranscript(
  messages: readonly Message[],
  options: { readonly dialect?: Dialect | undefined } = {},
): Violation[] {
  const violations: Violation[] = [];
  messages.forEach((message, index) => {
    checkMessage(message, index, violations);
  });
  checkPairs(messages, violations);
  if (options.dialect === 'anthropic' || options.dialect === 'strict')
    checkRoles(messages, options.dialect, violations);
  return violations.sort((a, b) => a.index - b.index);
}

function checkMessage(message: Message, index: number, violations: Violation[]): void {
  const add = (rule: ViolationRule, reason: string): void => {
    violations.push({ index, involved: [index], rule, reason });
  };
  if (!roles.has(message.role)) add('role-unknown', `the role "${String(message.role)}" is unknown`);
  if (message.role === 'user' && isBlank(message.content)) add('user-empty', 'a user message without content');
  if (lacksContent(message)) add('result-empty', 'a tool result without content (an empty string is allowed)');
  if (message.role !== 'assistant') return;
  if (isBlank(message.content) && !hasToolCalls(message)) add('assistant-empty', 'neither content nor tool calls');
  const seen = new Set<string>();
  toolCalls(message).forEach((call, position) => {
    if (seen.has(call.id)) add('call-id-duplicate', `tool call ${position} repeats an id of this message`);
    seen.add(call.id);
    if (call.type !== 'custom' && !isJson(toolCallInput(call)))
      add('arguments-not-json', `the arguments of tool call ${position} are not JSON`);
  });
}

/** Checks that every call is answered directly after its message, and that every result answers such a call. */
function checkPairs(messages: readonly Message[], violations: Violation[]): void {
  for (let index = 0; index < messages.length; ) {
    const message = messages[index]!;
    let next = index + 1;
    if (hasToolCalls(message)) {
      const open = new Map(toolCalls(message).map((call) => [call.id, call]));
      for (; next < messages.length && isToolResult(messages[next]!); next++) {
        const result = messages[next]!;
        if (result.role === 'function' ? !message.function_call : !open.delete(result.tool_call_id ?? ''))
          violations.push(orphan(next, [index, next]));
      }
      if (open.size > 0 && next < messages.length)
        for (const violation of checkAnswered(messages, index, next, open.keys())) violations.push(violation);
    } else if (isToolResult(message)) {
      violations.push(orphan(index, [index]));
    }
    index = next;
  }
}

function orphan(index: number, involved: readonly number[]): Violation {
  return { index, involved, rule: 'result-orphan', reason: 'a tool result that answers no call directly before it' };
}

function checkAnswered(messages: readonly Message[], at: number, end: number, ids: Iterable<string>): Violation[] {
  const missing = new Set(ids);
  let late = -1;
  for (let index = end; index < messages.length && !hasToolCalls(messages[index]!) && late < 0; index++)
    if (isToolResult(messages[index]!) && missing.has(messages[index]!.tool_call_id ?? '')) late = index;
  return late < 0
    ? [
        {
          index: at,
          involved: [at],
          rule: 'call-unanswered',
          reason: `${missing.size === 1 ? 'a tool call' : `${missing.size} tool calls`} without a result`,
        },
      ]
    : [{ index: at, involved: [at, late], rule: 'result-misplaced', reason: `message ${late} answers it too late` }];
}

function checkRoles(messages: readonly Message[], dialect: Dialect, violations: Violation[]): void {
  let previous = -1;
  let started = false;
  messages.forEach((message, index) => {
    if (isSystem(message)) {
      if (dialect === 'strict' && started)
        violations.push({
          index,
          involved: [index],
          rule: 'system-misplaced',
          reason: 'a system message after the first turn',
        });
      return;
    }
    if (!started && message.role !== 'user')
      violations.push({
        index,
        involved: [index],
        rule: 'first-not-user',
        reason: 'the first turn is not a user message',
      });
    started = true;
    // Strict chat templates do not count tool exchanges as turns. In other dialects, a result is part of a user turn.
    if (isToolResult(message) || (dialect === 'strict' && hasToolCalls(message))) {
      if (dialect === 'anthropic') previous = -1;
      return;
    }
    if (previous >= 0 && messages[previous]!.role === message.role)
      violations.push({
        index,
        involved: [previous, index],
        rule: 'roles-not-alternating',
        reason: `two ${message.role} messages in a row (the other is message ${previous})`,
      });
    previous = index;
  });
}
