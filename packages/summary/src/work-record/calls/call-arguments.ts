import { readToolName } from '@palimpsest/agents';
import { type ToolCall, toolCallInput, toolCallName } from '@palimpsest/core';
import { parseRecord } from '@palimpsest/core/authoring';

/** A call with its arguments. */
export interface CallArguments {
  /** The tool's own name in snake case, without a server. */
  readonly tool: string;
  readonly input: string;
  /** The arguments by name; `null` if the input is not a JSON object. */
  readonly values: Readonly<Record<string, unknown>> | null;
}

const known = new WeakMap<ToolCall, CallArguments>();

/** Returns the arguments of a call. Memoized per call object, and checked against its input. */
export function callArguments(call: ToolCall): CallArguments {
  const input = toolCallInput(call);
  const memo = known.get(call);
  if (memo?.input === input) return memo;
  const read = { tool: readToolName(toolCallName(call)).tool, input, values: parseRecord(input) };
  known.set(call, read);
  return read;
}
