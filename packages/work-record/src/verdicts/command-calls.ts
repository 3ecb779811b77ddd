import { commandArguments, readToolName, toolClass } from '@palimpsest/agents';
import { contentText, isToolResult, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
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
      const name = readToolName(toolCallName(call)).tool;
      const commands = outputTools.test(name)
        ? [...background].find(([id]) => toolCallInput(call).includes(`"${id}"`))?.[1]
        : callCommands(call, name, toolCallInput(call));
      if (commands) open.set(call.id, { commands, at });
    }
  });
  for (const { commands, at } of open.values()) calls.push({ commands, result: null, index: at });
  return calls;
}

/** The commands of calls; `null` for a call that runs no known tool. A pure cache. */
const commandsOf = new WeakMap<object, readonly ScriptCommand[] | null>();

function callCommands(call: object, tool: string, input: string): readonly ScriptCommand[] | null {
  const known = commandsOf.get(call);
  if (known !== undefined) return known;
  const commands = toolClass(tool) === 'command' ? scriptCommands(scriptOf(input)) : [];
  const read = commands.some(({ run }) => run) ? commands : null;
  commandsOf.set(call, read);
  return read;
}

/** The script in the arguments of a call: a string, or a list of words. */
function scriptOf(input: string): string {
  let values: unknown;
  try {
    values = JSON.parse(input);
  } catch {
    return input.trimStart().startsWith('{') ? '' : input;
  }
  if (typeof values !== 'object' || values === null) return typeof values === 'string' ? values : '';
  for (const name of commandArguments) {
    const value = (values as Record<string, unknown>)[name];
    if (typeof value === 'string') return name === 'input' ? withoutDescription(value) : value;
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return listedScript(value);
  }
  return '';
}

/** `['bash', '-lc', 'npm test']` as a script. */
function listedScript(words: readonly string[]): string {
  const option = words.findIndex((word) => /^-[a-z]{0,4}c$/.test(word));
  return option > 0 ? (words[option + 1] ?? '') : words.join(' ');
}

/** Some exports of sessions have a description before the command, which is in backticks. */
function withoutDescription(text: string): string {
  const start = text.indexOf('\n\n`');
  if (start < 0 || !text.endsWith('`')) return text;
  const quoted = text.slice(start + 2);
  return quoted.startsWith('```') ? quoted.slice(quoted.indexOf('\n') + 1, -3) : quoted.slice(1, -1);
}
