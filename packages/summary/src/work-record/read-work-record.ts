import { agentReader } from '@palimpsest/agents';
import { contentText, type Message, type MessageReader, readAnyHandoff } from '@palimpsest/core';
import { createPersonRecognizer } from '@palimpsest/core/authoring';
import { readTranscriptLines, type TranscriptLines } from '@palimpsest/pruner/salience';
import { readCalls } from './calls/read-calls.ts';
import { selectAnswered } from './calls/select-answered.ts';
import { type FileChange, fileChanges } from './changes/file-changes.ts';
import { sameFile } from './changes/same-file.ts';
import { type HostInstruction, hostInstructions } from './rules/host-instructions.ts';
import { rulesIn, type StatedRule } from './rules/read-rules.ts';
import { gistOf } from './user-messages/gist.ts';
import { openTasks } from './user-messages/open-tasks.ts';
import type { UserWords } from './user-messages/user-words.ts';
import { lastVerdicts, selectPassed, type Verdict } from './verdicts/verdicts.ts';
import { type TodoItems, todoItems } from './work/todo-items.ts';
import { type ToolAnswer, toolAnswers } from './work/tool-answers.ts';
import { type Observed, type WorkingState, workingState } from './work/working-state.ts';

/** One message of the user in the log. */
interface LoggedMessage extends UserWords {
  /** Number of the message among the user's messages, from 1. */
  readonly number: number;
  /** A short message, or both ends of a longer one, verbatim on one line. */
  readonly gist: string;
}

/** Input of {@link readWorkRecord}. */
export interface WorkRecordInput {
  /** The messages to read. The caller has to redact them if the record is shown to a model. */
  readonly messages: readonly Message[];
  /**
   * Indices of the user messages that contain only a person's words. @default all messages with a person's words;
   * harness text and documents in them are ignored
   */
  readonly fromPerson?: readonly number[] | undefined;
  /** Separates a person's words from inserted text. @default `agentReader` of `@palimpsest/agents` */
  readonly reader?: MessageReader | undefined;
  /** Indices of the messages of the current task, which stays in the transcript verbatim. @default none */
  readonly carried?: readonly number[] | undefined;
}

/** What an agent must know to continue, read from messages by rules. All indices refer to `messages`. */
export interface WorkRecord {
  /** The messages as lines. */
  readonly transcriptLines: TranscriptLines;
  /** The words of the user, in order. */
  readonly said: readonly UserWords[];
  /** Every message of the user, in order. */
  readonly log: readonly LoggedMessage[];
  /** The requests that are still open, oldest first. */
  readonly openTasks: readonly UserWords[];
  /** The standing rules of the user, in order. */
  readonly rules: readonly StatedRule[];
  /** Short system messages. */
  readonly instructions: readonly HostInstruction[];
  /** What the user said in results of tools that asked, in order. */
  readonly answers: readonly ToolAnswer[];
  /** The files that the agent changed, newest change first, temporary files last. */
  readonly changes: readonly FileChange[];
  /** How the last command of each tool family ended: failed ones first, then newest first. */
  readonly verdicts: readonly Verdict[];
  /** The lines that say that all runs of a call passed, by index of the message with its result. */
  readonly passed: ReadonlyMap<number, string>;
  /** The newest version of the agent's plan or task list. */
  readonly todo: TodoItems;
  readonly state: WorkingState;
  /** Tool calls without a result, each on one line. */
  readonly pendingCalls: readonly Observed[];
}

/**
 * Reads the work record from messages. Deterministic, without a model, in linear time. Each part is read on first use.
 * Skips handoffs in user messages.
 */
export function readWorkRecord({
  messages: given,
  fromPerson,
  carried,
  reader = agentReader,
}: WorkRecordInput): WorkRecord {
  const messages = given.map((message) => withoutHandoff(message, reader));
  const isFromPerson = createPersonRecognizer(reader);
  const real = new Set(fromPerson ?? [...messages.keys()].filter((at) => isFromPerson(messages[at]!, at, messages)));
  const isReal = (index: number): boolean => real.has(index);
  const kept = new Set(carried);
  const called = once(() => readCalls(messages, isReal));
  const record: WorkRecord = lazyFields({
    transcriptLines: () => readTranscriptLines(messages, isReal),
    said: () =>
      messages.flatMap((message, index) => {
        if (!isReal(index)) return [];
        const own = fromPerson ? message : reader.separateSpeech(message).said;
        const text = contentText(own?.content).trim();
        return text === '' ? [] : [{ index, text, carried: kept.has(index) }];
      }),
    log: () => userLog(record.said),
    openTasks: () => openTasks(record.said),
    rules: () => rulesIn(record.said, messages),
    instructions: () => hostInstructions(messages),
    answers: () => toolAnswers(messages),
    changes: () => {
      const calls = selectAnswered(called());
      return fileChanges(calls, sameFile(calls));
    },
    verdicts: () => lastVerdicts(called()),
    passed: () => selectPassed(called()),
    todo: () => todoItems(messages),
    state: () => workingState(record.transcriptLines),
    pendingCalls: () => {
      const { calls, lines } = record.transcriptLines;
      return calls
        .filter((call) => call.answeredAt < 0)
        .map(({ at, line }) => ({ index: at, text: lines[line]!.text }));
    },
  });
  return record;
}

function withoutHandoff(message: Message, reader: MessageReader): Message {
  const handoff = readAnyHandoff(message, reader);
  return handoff ? { ...message, content: handoff.rest } : message;
}

/** Returns every message of the user, in order. */
function userLog(said: readonly UserWords[]): LoggedMessage[] {
  return said.map((words, at) => ({ ...words, number: at + 1, gist: gistOf(words.text) }));
}

/** Returns a function that calls `read` on first use and caches the value. */
function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: read() }).value;
}

/** Creates an object whose fields are computed on first use. */
function lazyFields<Fields extends object>(readers: { readonly [Name in keyof Fields]: () => Fields[Name] }): Fields {
  const fields = {};
  for (const [name, read] of Object.entries<() => unknown>(readers))
    Object.defineProperty(fields, name, { get: once(read), enumerable: true });
  return fields as Fields;
}
