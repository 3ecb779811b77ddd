import { isToolResult, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { groupMessages } from '@palimpsest/core/authoring';

/** One tool call with its result. */
export interface ToolUse {
  readonly tool: string;
  readonly input: string;
  /** Index of the message with the call. */
  readonly callAt: number;
  /** Index of the result, or `null`. */
  readonly resultAt: number | null;
}

/** The tool calls of a transcript in order, each with its result. Matched per group, because real transcripts reuse ids. */
export function toolUses(messages: readonly Message[]): ToolUse[] {
  const uses: ToolUse[] = [];
  for (const group of groupMessages(messages)) {
    if (group.kind !== 'calls') continue;
    const caller = messages[group.from]!;
    const results = new Map<string, number[]>();
    let legacyResult: number | null = null;
    for (let index = group.from + 1; index < group.to; index++) {
      const { role, tool_call_id: id = '' } = messages[index]!;
      if (!isToolResult(messages[index]!)) continue;
      if (role === 'function') legacyResult ??= index;
      else results.set(id, [...(results.get(id) ?? []), index]);
    }
    for (const call of toolCalls(caller)) {
      const resultAt = results.get(call.id)?.shift() ?? null;
      uses.push({ tool: toolCallName(call), input: toolCallInput(call), callAt: group.from, resultAt });
    }
    const legacy = caller.function_call;
    if (legacy) uses.push({ tool: legacy.name, input: legacy.arguments, callAt: group.from, resultAt: legacyResult });
  }
  return uses;
}
