import { isRecord } from '@palimpsest/core/authoring';
import { asBlocks } from '../assemble.ts';
import type { NativeViolation } from '../codec.ts';
import { fieldsOf } from '../record.ts';
import { countMarks, maxCacheMarks } from './cache-marks.ts';
import { checkBlocks, checkConversation, checkMessage } from './check.ts';
import type { AnthropicBlock, AnthropicConversation, AnthropicMessage } from './conversation.ts';
import { kindOf } from './grammar.ts';

/** Rules of the Messages API, including those of gateways that are stricter about turns. */
export type AnthropicRule =
  | 'no-messages'
  | 'first-not-user'
  | 'roles-not-alternating'
  | 'system-first'
  | 'system-not-after-user'
  | 'system-not-before-assistant'
  | 'content-empty'
  | 'text-empty'
  | 'call-unanswered'
  | 'call-id-duplicate'
  | 'call-input-not-object'
  | 'result-orphan'
  | 'result-duplicate'
  | 'result-misplaced'
  | 'thinking-unsigned'
  | 'thinking-last'
  | 'cache-marks';

type Add = (rule: AnthropicRule, reason: string, at?: number) => void;

export function validateAnthropic(native: AnthropicConversation): readonly NativeViolation[] {
  checkConversation(native);
  const found: NativeViolation[] = [];
  const { messages } = native;
  if (messages.length === 0)
    found.push({ index: -1, rule: 'no-messages', reason: 'a request needs at least one message' });
  let marks = countMarks(asBlocks(native.system ?? ''));
  let turn = -1;
  messages.forEach((message, index) => {
    checkMessage(message, index);
    const blocks = asBlocks(message.content);
    checkBlocks(blocks, { format: 'anthropic', index }, 'content');
    const add: Add = (rule, reason, at = index) => found.push({ index: at, rule, reason });
    marks += countMarks(blocks);
    checkContent(message, blocks, index === messages.length - 1, add);
    if (message.role === 'system') {
      checkSystem(messages, index, add);
      return;
    }
    const previous = messages[turn];
    if (!previous && message.role !== 'user' && blocks[0]?.type !== 'compaction')
      add('first-not-user', 'the first turn is not a user message');
    if (previous?.role === message.role)
      add('roles-not-alternating', `two ${message.role} messages in a row (the other is message ${turn})`);
    checkResults(message, blocks, previous && { ...previous, at: turn }, add);
    turn = index;
  });
  if (marks > maxCacheMarks)
    found.push({ index: -1, rule: 'cache-marks', reason: `${marks} cache marks; the maximum is ${maxCacheMarks}` });
  return found.sort((left, right) => left.index - right.index);
}

function checkContent({ role }: AnthropicMessage, blocks: readonly AnthropicBlock[], isLast: boolean, add: Add): void {
  // The last assistant message may be empty: it is a prefill.
  if (blocks.length === 0 && !(isLast && role === 'assistant'))
    add('content-empty', `a ${role} message without content`);
  const calls = new Set<unknown>();
  blocks.forEach((block, at) => {
    const { text, signature, input, id } = fieldsOf(block);
    if (block.type === 'text' && typeof text === 'string' && text.trim() === '')
      add('text-empty', `block ${at} is a text without content`);
    if (block.type === 'thinking' && typeof signature !== 'string')
      add('thinking-unsigned', `block ${at} is a thought without its signature`);
    if (block.type !== 'tool_use') return;
    if (!isRecord(input)) add('call-input-not-object', `block ${at} calls a tool with an input that is not an object`);
    if (calls.has(id)) add('call-id-duplicate', `block ${at} has the id of another call in this message`);
    calls.add(id);
  });
  const last = blocks.at(-1);
  if (role === 'assistant' && last && kindOf(last) === 'thought')
    add('thinking-last', 'the message ends with a thought');
}

/** Checks that a system message is where the API accepts one. */
function checkSystem(messages: readonly AnthropicMessage[], at: number, add: Add): void {
  const [before, after] = [messages[at - 1], messages[at + 1]];
  if (!before) add('system-first', 'the first message is a system message; put the system prompt into "system"');
  else if (before.role !== 'user') add('system-not-after-user', 'a system message that does not follow a user message');
  if (after && after.role !== 'assistant')
    add('system-not-before-assistant', 'a system message that is neither last nor before an assistant message');
}

/** Checks that the message begins with exactly one result for each call of the previous turn, and has no other results. */
function checkResults(
  { role }: AnthropicMessage,
  blocks: readonly AnthropicBlock[],
  previous: (AnthropicMessage & { readonly at: number }) | undefined,
  add: Add,
): void {
  const calls = previous?.role === 'assistant' ? asBlocks(previous.content) : [];
  const open = new Set(calls.filter(({ type }) => type === 'tool_use').map((block) => fieldsOf(block).id));
  const answered = new Set<unknown>();
  if (role === 'user') {
    const first = blocks.findIndex(({ type }) => type !== 'tool_result');
    blocks.forEach((block, at) => {
      if (block.type !== 'tool_result') return;
      const { tool_use_id: id } = fieldsOf(block);
      if (answered.has(id)) add('result-duplicate', `block ${at} answers a call for the second time`);
      else if (!open.has(id)) add('result-orphan', `block ${at} answers no call of the previous message`);
      else if (first >= 0 && first < at) add('result-misplaced', `block ${at} is a result after other content`);
      answered.add(id);
    });
  }
  const missing = [...open].filter((id) => !answered.has(id)).length;
  if (missing > 0)
    add(
      'call-unanswered',
      `${missing === 1 ? 'a tool call' : `${missing} tool calls`} without a result in the next message`,
      previous?.at,
    );
}
