import { toolClass } from '@palimpsest/agents';
import { contentText, isToolResult, type Message, toolCalls } from '@palimpsest/core';
import { type CallArguments, callArguments } from '../calls/call-arguments.ts';
import { callScript } from '../calls/call-script.ts';
import { type ScriptCommand, scriptCommands } from './tool-run.ts';

/** A call that runs at least one known tool. */
export interface CommandCall {
  readonly commands: readonly ScriptCommand[];
  /** The message with its result; `null` if there is none. */
  readonly result: Message | null;
  /** Index of the result; of the call if there is none. */
  readonly index: number;
}

/** How agents report that a command goes on in the background, with its id. */
const inBackground = /^Command running in background with ID: (\w{1,40})/;
/** Tools that show the output of such a command, and their results while it still runs. */
const outputTools = /^(?:bash_output|task_output)$/;
const stillRunning = /<status>running<|<retrieval_status>(?:not_ready|timeout)</;

/** Finds the calls that run known tools, in the order of their results; those without a result last. */
export function commandCalls(messages: readonly Message[]): CommandCall[] {
  const calls: CommandCall[] = [];
  const open = new Map<string, { commands: readonly ScriptCommand[]; at: number }>();
  const background = new Map<string, readonly ScriptCommand[]>();
  messages.forEach((message, at) => {
    if (isToolResult(message)) {
      const call = open.get(message.tool_call_id ?? '');
      if (!call) return;
      open.delete(message.tool_call_id ?? '');
      const text = contentText(message.content);
      const id = inBackground.exec(text.slice(0, 100))?.[1];
      if (id !== undefined) background.set(id, call.commands);
      if (!stillRunning.test(text.slice(0, 300))) calls.push({ commands: call.commands, result: message, index: at });
      return;
    }
    for (const call of toolCalls(message)) {
      const args = callArguments(call);
      const commands = outputTools.test(args.tool)
        ? [...background].find(([id]) => args.input.includes(`"${id}"`))?.[1]
        : callCommands(args);
      if (commands) open.set(call.id, { commands, at });
    }
  });
  for (const { commands, at } of open.values()) calls.push({ commands, result: null, index: at });
  return calls;
}

/** The commands of calls; `null` for a call that runs no known tool. A pure cache. */
const commandsOf = new WeakMap<CallArguments, readonly ScriptCommand[] | null>();

function callCommands(call: CallArguments): readonly ScriptCommand[] | null {
  const known = commandsOf.get(call);
  if (known !== undefined) return known;
  const commands = toolClass(call.tool) === 'command' ? scriptCommands(callScript(call)) : [];
  const read = commands.some(({ run }) => run) ? commands : null;
  commandsOf.set(call, read);
  return read;
}
