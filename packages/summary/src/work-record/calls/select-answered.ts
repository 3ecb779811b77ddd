import { readOutcome, resultReader, type ToolOutcome } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { plainPath } from '../changes/join-path.ts';
import { memoizeText } from '../text/memoize-text.ts';
import { callOperations } from './call-operations.ts';
import type { FileOperation } from './file-operation.ts';
import type { ReadCall } from './read-calls.ts';
import { runScripts } from './run-scripts.ts';

/** One tool call: its operations and its result, which {@link endingOf} reads. */
export interface AnsweredCall {
  /** Index of the message with the call. */
  readonly index: number;
  readonly operations: readonly FileOperation[];
  readonly result: Message;
}

/** How a call ended, as far as its result states it. */
export interface CallEnding {
  /** True if the call did nothing, because the call or its arguments were rejected. */
  readonly isRefused: boolean;
  readonly isFailed: boolean;
  /** The beginning and the end of the output, and a separate error text. */
  readonly ends: readonly string[];
  /** True if the result states that the file already existed. */
  readonly existed: boolean;
}

const errorWords: RegExp =
  /No such file or directory|Permission denied|Is a directory|Not a directory|Read-only file system|cannot |can't |did not match any|command not found|patch (?:failed|does not apply)|fatal: /;
/** Maximum characters to search for errors at each end of a result. */
const maxReach = 2_000;

/** Returns the calls with a result, in order. A call without a result may not have been executed. */
export function selectAnswered(calls: readonly ReadCall[]): AnsweredCall[] {
  const answered: AnsweredCall[] = [];
  const withScripts = runScripts();
  for (const { call, index, result } of calls) {
    if (!result) continue;
    answered.push({ index, operations: withScripts(withPaths(callOperations(call), result)), result });
  }
  return answered;
}

/** Adds a missing path from the result, because some recorders lose the arguments of a call. */
function withPaths(operations: readonly FileOperation[], result: Message): readonly FileOperation[] {
  const [operation, ...more] = operations;
  if (!operation || more.length > 0 || operation.path !== '' || !/^(?:edit|write)$/.test(operation.action))
    return operations;
  const path = resultReader.readChangedFile(readOutcome(contentText(result.content)).output);
  return path === null ? operations : [{ ...operation, path: plainPath(path) }];
}

/** Reads from the result of a call how it ended. Memoized per result. */
export function endingOf({ result }: AnsweredCall): CallEnding {
  return rememberedEnding(contentText(result.content), result);
}

const rememberedEnding = /* @__PURE__ */ memoizeText(readEnding);

function readEnding(text: string): CallEnding {
  const outcome: ToolOutcome = readOutcome(text);
  const { output, error } = outcome;
  const start = output.slice(0, maxReach);
  const isMarked = resultReader.isError(start);
  const ends = [start, output.length > maxReach ? output.slice(-maxReach) : '', error ?? ''].filter(
    (part) => part !== '',
  );
  return {
    isRefused: resultReader.isRefusal(text) || (isMarked && start.includes('<tool_use_error>')),
    isFailed: outcome.failed || isMarked,
    // A copy, because V8 reserves room for 16 more elements in a filtered list.
    ends: ends.slice(),
    existed: /^[^\n]{0,400}\b(?:updated|overwr\w{3,6})\b/.test(start),
  };
}

/** Returns the lines of a result that contain `mark` and report an error of a program. */
export function errorLines({ ends }: CallEnding, mark: string): string[] {
  return ends.flatMap((part) =>
    part.includes(mark) ? part.split('\n').filter((line) => line.includes(mark) && errorWords.test(line)) : [],
  );
}
