import { toolClass } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { memoizeByObject } from '@palimpsest/core/authoring';
import type { CallArguments } from '../calls/call-arguments.ts';
import { callScript } from '../calls/call-script.ts';
import type { ReadCall } from '../calls/read-calls.ts';
import { type ScriptCommand, scriptCommands } from './script-commands.ts';

/** A call with at least one run. */
export interface CommandCall {
  readonly commands: readonly ScriptCommand[];
  /** The message with its result, or `null`. */
  readonly result: Message | null;
  /** Index of the message with the call. */
  readonly callIndex: number;
  /** Index of the message with the result, or with the call if there is no result. */
  readonly index: number;
}

/** Matches an agent's message that a command runs in the background, with its id. */
const inBackground = /^Command running in background with ID: (\w{1,40})/;
/** Tools that show the output of a background command, and their results while it is still running. */
const outputTools = /^(?:bash_output|task_output)$/;
const stillRunning = /<status>running<|<retrieval_status>(?:not_ready|timeout)</;

/** Finds the calls with runs, in order of their results; calls without a result come last. */
export function commandCalls(calls: readonly ReadCall[]): CommandCall[] {
  const found: CommandCall[] = [];
  const background = new Map<string, readonly ScriptCommand[]>();
  const answered = calls.filter(({ result }) => result).sort((one, other) => one.answeredAt - other.answeredAt);
  for (const { call, index, result, answeredAt } of [...answered, ...calls.filter((one) => !one.result)]) {
    const commands = outputTools.test(call.tool)
      ? [...background].find(([id]) => call.input.includes(`"${id}"`))?.[1]
      : callCommands(call);
    if (!commands) continue;
    const text = contentText(result?.content);
    const id = inBackground.exec(text.slice(0, 100))?.[1];
    if (id !== undefined) background.set(id, commands);
    if (!stillRunning.test(text.slice(0, 300)))
      found.push({ commands, result, callIndex: index, index: result ? answeredAt : index });
  }
  return found;
}

/** The commands of a call; `null` if none is a run. Memoized per arguments object. */
const callCommands = /* @__PURE__ */ memoizeByObject((call: CallArguments): readonly ScriptCommand[] | null => {
  const commands = toolClass(call.tool) === 'command' ? scriptCommands(callScript(call)) : [];
  return commands.some(({ run }) => run) ? commands : null;
});
