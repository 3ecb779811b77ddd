import { type Message, type ToolCall, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import type { Group } from '@palimpsest/core/authoring';

/** A tool result and the call it answers. */
export interface PairedCall {
  /** Index of the result. */
  readonly at: number;
  /** The tool's name as called. */
  readonly name: string;
  readonly input: string;
}

/**
 * Pairs the results of an exchange with its calls. Returns no pairs unless every call has a distinct id and exactly one
 * result in the group, because broken exchanges are never edited.
 * @param inputs inputs to use instead of those of calls
 */
export function pairCalls(
  messages: readonly Message[],
  { from, to }: Group,
  inputs: ReadonlyMap<ToolCall, string>,
): PairedCall[] {
  const caller = messages[from]!;
  const calls = toolCalls(caller);
  const legacy = caller.function_call;
  if (to - from - 1 !== calls.length + (legacy ? 1 : 0)) return [];
  const open = new Map<string, ToolCall>();
  for (const call of calls) open.set(call.id, call);
  if (open.size < calls.length) return [];
  const pairs: PairedCall[] = [];
  for (let at = from + 1; at < to; at++) {
    const { role, tool_call_id: id = '' } = messages[at]!;
    const call = role === 'tool' ? open.get(id) : undefined;
    if (call) pairs.push({ at, name: toolCallName(call), input: inputs.get(call) ?? toolCallInput(call) });
    else if (role === 'function' && legacy) pairs.push({ at, name: legacy.name, input: legacy.arguments });
    else return [];
    open.delete(id);
  }
  return pairs;
}
