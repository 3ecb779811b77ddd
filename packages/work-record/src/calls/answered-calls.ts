import { readOutcome, resultReader, type ToolOutcome } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { plainPath } from '../changes/join-path.ts';
import { callOperations } from './call-operations.ts';
import type { FileOperation } from './file-operation.ts';
import type { ReadCall } from './read-calls.ts';

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

/** The calls that have a result, in order. A call that has none may not have been carried out. */
export function answeredCalls(calls: readonly ReadCall[]): AnsweredCall[] {
  return calls.flatMap(({ call, index, result }) =>
    result ? [{ index, operations: confirmed(callOperations(call), result), ending: endingOf(result) }] : [],
  );
}

/** Some recorders lose the arguments of a call. Then the result says which file a tool changed. */
function confirmed(operations: readonly FileOperation[], result: Message): readonly FileOperation[] {
  const [operation, ...more] = operations;
  if (!operation || more.length > 0 || operation.path !== '' || !/^(?:edit|write)$/.test(operation.action))
    return operations;
  const path = resultReader.changedFile(readOutcome(contentText(result.content)).output);
  return path === null ? operations : [{ ...operation, path: plainPath(path) }];
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
  const ends = [start, output.length > reach ? output.slice(-reach) : '', error ?? ''].filter((part) => part !== '');
  return {
    isRefused: resultReader.isAnswer(text) || (isMarked && start.includes('<tool_use_error>')),
    isFailed: outcome.failed || isMarked,
    // A copy, because a filtered list keeps room for 16 more.
    ends: ends.slice(),
    existed: /^[^\n]{0,400}\b(?:updated|overwr\w{3,6})\b/.test(start),
  };
}

/** The lines of a result that report an error of a program, of those that contain a text. */
export function errorLines({ ends }: CallEnding, mark: string): string[] {
  return ends.flatMap((part) =>
    part.includes(mark) ? part.split('\n').filter((line) => line.includes(mark) && errorWords.test(line)) : [],
  );
}
