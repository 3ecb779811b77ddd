import { type Message, toolCallInput, toolCalls } from '@palimpsest/core';
import { parseRecord } from '@palimpsest/core/authoring';
import { textsOf } from '../transcripts/texts.ts';

/** One tool call of a transcript with the text of its result. */
export interface CallReading {
  /** Index of the message that makes the call. */
  readonly index: number;
  /** Name of the tool, in lower case, without the prefix of an MCP server. */
  readonly tool: string;
  /** The arguments; `input` holds arguments that are not a JSON object. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Text of the result, or `''`. */
  readonly result: string;
}

/** Reads all tool calls, in order. Deliberately independent of the readers that our engines use. */
export function readToolCalls(messages: readonly Message[]): CallReading[] {
  const calls: CallReading[] = [];
  messages.forEach((message, index) => {
    // A call id can repeat in a transcript, so a result belongs to the nearest call before it.
    const results = new Map<string, string>();
    const made = toolCalls(message);
    for (let at = index + 1; made.length > 0 && messages[at]?.role === 'tool'; at++)
      results.set(String(messages[at]!.tool_call_id), textsOf(messages[at]!, false).join('\n'));
    for (const call of made)
      calls.push({
        index,
        tool: (call.type === 'custom' ? call.custom.name : call.function.name).toLowerCase().replace(/^mcp__.*?__/, ''),
        input: parseRecord(toolCallInput(call)) ?? { input: toolCallInput(call) },
        result: results.get(call.id) ?? '',
      });
  });
  return calls;
}

const shellTools =
  /^(?:bash|shell|sh|terminal|cmd|exec|exec_command|execute_bash|execute_command|run_command|run_shell_command|run_terminal_cmd|local_shell)$/;

/** Returns the command of a shell tool, or `null` for other tools. */
export function shellCommand({ tool, input }: CallReading): string | null {
  if (!shellTools.test(tool)) return null;
  const command = input.command ?? input.cmd ?? input.script ?? input.input;
  if (Array.isArray(command)) return command.join(' ');
  if (typeof command !== 'string') return null;
  // Some recorders store a description and the command in backticks.
  return /(?:^|\n)`([\s\S]+)`\s*$/.exec(command)?.[1] ?? command;
}

/** Returns true if a result says that the call failed and changed nothing. */
export const isFailed = ({ result }: CallReading): boolean =>
  /^\s*(?:<tool_use_error>|error\b|exit code [1-9]|the user doesn't want to proceed|\[?request interrupted|no changes|string to replace not found|false\n|access denied)/i.test(
    result,
  ) || /^\s*<returncode>[1-9]/.test(result);
