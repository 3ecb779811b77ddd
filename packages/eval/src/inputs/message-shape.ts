import type { Message, Role } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';

const roles: ReadonlySet<string> = new Set<Role>(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/** Block types that only Anthropic messages have. Read as chat messages, their tool calls would be missed. */
const anthropicBlocks: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking']);

/** True for an object with a role and content or calls, whether or not it is a valid message. */
export function isMessageLike(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.role === 'string' &&
    ('content' in value || 'tool_calls' in value || 'function_call' in value)
  );
}

/**
 * Validates a JSON value as a chat message, as far as the engines rely on it.
 * @returns the message, or what is wrong with it, phrased to follow "message 3"
 */
export function readMessage(value: unknown): Message | string {
  if (!isRecord(value)) return 'is not an object';
  if (typeof value.role !== 'string') return 'has no "role"';
  if (!roles.has(value.role)) return `has an unknown "role"; expected one of ${[...roles].join(', ')}`;
  return contentProblem(value.content) ?? callsProblem(value) ?? (value as unknown as Message);
}

function contentProblem(content: unknown): string | null {
  if (content === undefined || content === null || typeof content === 'string') return null;
  if (!Array.isArray(content)) return 'has a "content" that is neither a string nor an array of parts';
  for (const part of content) {
    if (!isRecord(part) || typeof part.type !== 'string') return 'has a part without a "type" in its "content"';
    if (anthropicBlocks.has(part.type))
      return `has an Anthropic "${part.type}" block, which is not a chat-completions part`;
  }
  return null;
}

function callsProblem(message: Readonly<Record<string, unknown>>): string | null {
  const { tool_calls: calls, function_call: call, tool_call_id: id, name, reasoning_content: reasoning } = message;
  for (const [field, value] of Object.entries({ tool_call_id: id, name, reasoning_content: reasoning }))
    if (value !== undefined && value !== null && typeof value !== 'string')
      return `has a "${field}" that is not a string`;
  if (call !== undefined && call !== null && !isNamedCall(call, 'arguments'))
    return 'has a "function_call" without string "name" and "arguments"';
  if (calls === undefined || calls === null) return null;
  if (!Array.isArray(calls)) return 'has "tool_calls" that are not an array';
  for (const item of calls) {
    if (!isRecord(item) || typeof item.id !== 'string') return 'has a tool call without an "id"';
    const known = item.type === 'custom' ? isNamedCall(item.custom, 'input') : isNamedCall(item.function, 'arguments');
    if (!known) return 'has a tool call without string "name" and "arguments"';
  }
  return null;
}

function isNamedCall(call: unknown, input: 'arguments' | 'input'): boolean {
  return isRecord(call) && typeof call.name === 'string' && typeof call[input] === 'string';
}
