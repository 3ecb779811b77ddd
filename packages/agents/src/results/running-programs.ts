import { contentText, isToolResult, type Message, type ToolCall, toolCallInput, toolCalls } from '@palimpsest/core';
import { parseRecord } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';
import { commandArguments } from '../tools/argument-names.ts';

type Running = NonNullable<NonNullable<AgentProfile['results']>['running']>;

/** Maximum characters to search for the mark. */
const maxReach = 400;
const marks: readonly Running[] = /* @__PURE__ */ knownAgents.flatMap(({ results }) => results?.running ?? []);

/**
 * Returns the inputs of calls that only name a running program by its id, such as `write_stdin`, with the command that
 * started the program added as `cmd`. Linear time.
 */
export function followInputs(messages: readonly Message[]): ReadonlyMap<ToolCall, string> {
  const followed = new Map<ToolCall, string>();
  const open = new Map<string, string>();
  const commands = new Map<string, string>();
  for (const message of messages) {
    for (const call of toolCalls(message)) {
      const input = toolCallInput(call);
      const command = commands.size === 0 ? undefined : findCommand(input, commands);
      if (command !== undefined) followed.set(call, JSON.stringify({ cmd: command, ...parseRecord(input) }));
      open.set(call.id, followed.get(call) ?? input);
    }
    if (!isToolResult(message)) continue;
    const input = open.get(message.tool_call_id ?? '');
    const text = input === undefined ? '' : contentText(message.content).slice(0, maxReach);
    for (const { mark, argument } of marks) {
      const id = mark.exec(text)?.[1];
      const command = id === undefined ? undefined : commandIn(input!);
      if (command !== undefined) commands.set(`${argument} ${id}`, command);
    }
  }
  return followed;
}

/** Returns the command of the program that an input names by its id only. */
function findCommand(input: string, commands: ReadonlyMap<string, string>): string | undefined {
  for (const { argument } of marks) {
    const values = input.includes(argument) ? parseRecord(input) : null;
    const id = values?.[argument];
    if (id !== undefined && !values?.cmd) return commands.get(`${argument} ${String(id)}`);
  }
  return undefined;
}

function commandIn(input: string): string | undefined {
  const values = parseRecord(input);
  return commandArguments.map((name) => values?.[name]).find((value): value is string => typeof value === 'string');
}
