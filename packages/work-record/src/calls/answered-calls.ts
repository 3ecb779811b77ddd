import { readOutcome, resultReader, type ToolOutcome } from '@palimpsest/agents';
import { contentText, isToolResult, type Message, toolCalls } from '@palimpsest/core';
import { callOperations } from './call-operations.ts';
import type { FileOperation } from './file-operation.ts';

/** One tool call with what it was to do, and how it ended. */
export interface AnsweredCall {
  /** Index of the message with the call. */
  readonly index: number;
  readonly operations: readonly FileOperation[];
  readonly ending: CallEnding;
}

/** How a call ended, as far as its result says so. */
export interface CallEnding {
  /** True if nothing of the call was done: it was refused, or its arguments were. */
  readonly isRefused: boolean;
  readonly isFailed: boolean;
  /** The beginning and the end of the output, and what is marked as an error. */
  readonly ends: readonly string[];
  /** True if it says that the file was there before. */
  readonly existed: boolean;
}

const errorWords: RegExp =
  /No such file or directory|Permission denied|Is a directory|Not a directory|Read-only file system|cannot |can't |did not match any|command not found|patch (?:failed|does not apply)|fatal: /;
/** How much of each end of a result is searched for errors, in characters. */
const reach = 2_000;

const endings = new WeakMap<Message, { readonly content: unknown; readonly ending: CallEnding }>();

/** The calls of the messages that have a result, in order. A call that has none may not have been carried out. */
export function answeredCalls(messages: readonly Message[]): AnsweredCall[] {
  const found: { index: number; operations: readonly FileOperation[]; ending: CallEnding | null }[] = [];
  let open = new Map<string, number>();
  messages.forEach((message, index) => {
    if (isToolResult(message)) {
      const call = open.get(message.role === 'tool' ? (message.tool_call_id ?? '') : '');
      if (call !== undefined) found[call]!.ending ??= endingOf(message);
      return;
    }
    if (message.role !== 'assistant') return;
    const calls = toolCalls(message);
    const legacy = message.function_call;
    if (calls.length === 0 && !legacy) return;
    if (open.size > 1_000) open = new Map();
    for (const call of calls) {
      open.set(call.id, found.length);
      found.push({ index, operations: callOperations(call), ending: null });
    }
    if (legacy) {
      open.set('', found.length);
      found.push({ index, operations: callOperations({ id: '', type: 'function', function: legacy }), ending: null });
    }
  });
  return found.filter((call): call is AnsweredCall => call.ending !== null);
}

function endingOf(message: Message): CallEnding {
  const memo = endings.get(message);
  if (memo && memo.content === message.content) return memo.ending;
  const ending = readEnding(contentText(message.content));
  endings.set(message, { content: message.content, ending });
  return ending;
}

function readEnding(text: string): CallEnding {
  const outcome: ToolOutcome = readOutcome(text);
  const { output, error } = outcome;
  const start = output.slice(0, reach);
  const isMarked = resultReader.isError(start);
  return {
    isRefused: resultReader.isAnswer(text) || (isMarked && start.includes('<tool_use_error>')),
    isFailed: outcome.failed || isMarked,
    ends: [start, output.length > reach ? output.slice(-reach) : '', error ?? ''].filter((part) => part !== ''),
    existed: /^[^\n]{0,400}\b(?:updated|overwr\w{3,6})\b/.test(start),
  };
}

/** The lines of a result that report an error of a program, of those that contain a text. */
export function errorLines({ ends }: CallEnding, mark: string): string[] {
  return ends.flatMap((part) =>
    part.includes(mark) ? part.split('\n').filter((line) => line.includes(mark) && errorWords.test(line)) : [],
  );
}
