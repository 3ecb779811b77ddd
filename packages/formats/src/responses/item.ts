import { fieldsOf } from '../record.ts';
import type { ResponsesItem } from './conversation.ts';

/**
 * The role of an item in a transcript. `hosted`: a tool call run by the provider, part of the assistant's turn. `kept`: an
 * item that cannot be read and must not be dropped (compactions, references, tool listings, items of a newer API).
 */
export type ItemKind = 'message' | 'thought' | 'call' | 'output' | 'program' | 'hosted' | 'kept';

const kinds: Readonly<Record<string, ItemKind>> = {
  message: 'message',
  reasoning: 'thought',
  function_call: 'call',
  custom_tool_call: 'call',
  local_shell_call: 'call',
  shell_call: 'call',
  apply_patch_call: 'call',
  computer_call: 'call',
  mcp_approval_request: 'call',
  function_call_output: 'output',
  custom_tool_call_output: 'output',
  local_shell_call_output: 'output',
  shell_call_output: 'output',
  apply_patch_call_output: 'output',
  computer_call_output: 'output',
  mcp_approval_response: 'output',
  program: 'program',
  program_output: 'hosted',
  web_search_call: 'hosted',
  file_search_call: 'hosted',
  code_interpreter_call: 'hosted',
  image_generation_call: 'hosted',
  mcp_call: 'hosted',
};

/** True for a type of item other than `message`. Content parts have different types. */
export function isItemType(type: string): boolean {
  return Object.hasOwn(kinds, type) && type !== 'message';
}

export function kindOf(item: ResponsesItem): ItemKind {
  if (isReasoningReference(item)) return 'thought';
  if (typeof item.type === 'string') return Object.hasOwn(kinds, item.type) ? kinds[item.type]! : 'kept';
  return 'role' in item && 'content' in item ? 'message' : 'kept';
}

/** True for a reference to a stored reasoning item (id `rs_...`), which the AI SDK sends by default. */
function isReasoningReference(item: ResponsesItem): boolean {
  const { type, id, role } = fieldsOf(item);
  const isReference = type === 'item_reference' || (!type && role === undefined);
  return isReference && typeof id === 'string' && id.startsWith('rs_');
}

/** Returns the id that pairs a call with its output. */
export function callIdOf(item: ResponsesItem): string {
  const { type, call_id: callId, id, approval_request_id: request } = fieldsOf(item);
  const paired = type === 'mcp_approval_response' ? request : type === 'mcp_approval_request' ? id : (callId ?? id);
  return typeof paired === 'string' ? paired : '';
}

export function roleOf(item: ResponsesItem): string {
  return String(fieldsOf(item).role);
}
