import {
  contentText,
  type FunctionToolCall,
  isBlank,
  type Message,
  type Part,
  type Role,
  type ToolCall,
  toolCallInput,
  toolCalls,
} from '@palimpsest/core';
import { isJson, quoteContent, quoteText } from '@palimpsest/core/authoring';

/** The repair of one message. */
type MessageRepair = 'arguments-mended' | 'call-id-changed' | 'role-changed' | 'blank-filled';

export interface RepairedMessage {
  readonly message: Message;
  readonly repair: MessageRepair | null;
}

const roles: ReadonlySet<string> = new Set<Role>(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/** Repairs a message that every provider would refuse. No content is lost: what cannot be sent in its own form is sent as text. */
export function repairMessage(message: Message): RepairedMessage {
  if (!roles.has(message.role)) return { message: withKnownRole(message), repair: 'role-changed' };
  const blank = isBlank(message.content);
  if (message.role === 'user' && blank)
    return { message: { ...message, content: '(empty message)' }, repair: 'blank-filled' };
  if (message.role === 'tool' && (message.content === null || message.content === undefined))
    return { message: { ...message, content: '' }, repair: 'blank-filled' };
  if (message.role !== 'assistant') return { message, repair: null };
  const calls = toolCalls(message);
  if (blank && calls.length === 0 && !message.function_call)
    return { message: { ...message, content: answerText(message) }, repair: 'blank-filled' };
  const mended = calls.map(withJsonArguments);
  if (mended.every((call, at) => call === calls[at])) return { message, repair: null };
  return { message: { ...message, tool_calls: mended }, repair: 'arguments-mended' };
}

/**
 * Converts a message with an unknown role (`observation`, `ipython`, `TOOL`) to tool output: the result of the call it
 * names, or else a user message that quotes it. Its text is never passed off as the user's own words.
 */
function withKnownRole(message: Message): Message {
  if (typeof message.tool_call_id === 'string') return { ...message, role: 'tool' };
  const { tool_calls: _, function_call: __, ...rest } = message;
  const content = isBlank(message.content) ? '(empty message)' : message.content!;
  const quoted = quoteContent(content, 'tool-material');
  const unmarked = typeof quoted !== 'string' && contentText(quoted).trim() === '';
  const mark = { type: 'text', text: quoteText('(no text)', 'tool-material') } as Part;
  return { ...rest, role: 'user', content: unmarked ? [...quoted, mark] : quoted };
}

/** Text for an answer without content: its refusal, its reasoning, or a placeholder. */
function answerText(message: Message): string {
  const { refusal } = message as Message & { readonly refusal?: unknown };
  return typeof refusal === 'string' && refusal.trim() !== '' ? refusal : contentText(message.content) || '(no answer)';
}

function withJsonArguments(call: ToolCall): ToolCall {
  if (call.type === 'custom' || typeof call.function !== 'object' || call.function === null) return call;
  const given = toolCallInput(call);
  if (typeof given === 'string' && isJson(given)) return call;
  const mended =
    typeof given !== 'string' || given.trim() === '' ? '{}' : JSON.stringify({ malformed_arguments: given });
  return { ...call, function: { ...(call as FunctionToolCall).function, arguments: mended } };
}
