import { followInputs, isRecallTool, resultReader } from '@palimpsest/agents';
import {
  contentText,
  isSystem,
  isToolResult,
  type Message,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { oneLine } from '../text/one-line.ts';
import { callText } from './call-text.ts';
import { eachTextLine } from './each-text-line.ts';

/** Name of the tool message that quotes an untrusted handoff. Nothing in it counts as an instruction. */
export const unverifiedSummary = 'unverified summary';

/** Matches the number of a line in a listing, as file readers print it: `  12→`, `12<tab>`, `12|`, `12: `. */
const listed: RegExp = /^\s{0,8}(\d{1,7})(?:\u2192|\t|\||: ?)/;

/** The number of a line in a listing, and where the line itself starts. */
interface ListedLine {
  readonly number: number;
  /** Length in characters of the number and its separator. */
  readonly gutter: number;
}

/**
 * The source of a line: a message of the `user`, `agent` or `system`; a tool `call` on one line; a line of a long
 * argument (`input`); a tool `result`; or an unverified `summary`.
 */
export type LineKind = 'user' | 'agent' | 'call' | 'input' | 'result' | 'summary' | 'system';

/** One line of a transcript. */
export interface TranscriptLine {
  readonly kind: LineKind;
  readonly text: string;
  /** Index of the message in the messages that were read. */
  readonly at: number;
  /** Number of the line in its text, from 1; for a line of a listing, its number in the listing. */
  readonly number: number;
  /** Length in characters of the line number before a line of a listing; 0 for other lines. */
  readonly gutter: number;
  /** Index of the call that a `call`, `input` or `result` line belongs to, or -1. */
  readonly call: number;
  /** True for a piece of a long line that continues where the piece before it ended. */
  readonly continues: boolean;
}

/** Returns the text of a line. If the line is from a numbered listing, its number is removed. */
export function bareText({ text, gutter }: TranscriptLine): string {
  return gutter === 0 ? text : text.slice(gutter);
}

/** True if two lines are of the same text, such as one tool result. */
export function isSameText(one: TranscriptLine, other: TranscriptLine | undefined): boolean {
  return one.at === other?.at && one.kind === other.kind && one.call === other.call;
}

/** One tool call of a transcript. */
export interface TranscriptCall {
  readonly name: string;
  /** The subject of the call, such as a path or a command; `''` if unknown. */
  readonly target: string;
  /** Index of the message. */
  readonly at: number;
  /** Index of its `call` line. */
  readonly line: number;
  /** Index of the message with its result, or -1. */
  readonly answeredAt: number;
}

/** A transcript as lines. */
export interface TranscriptLines {
  readonly lines: readonly TranscriptLine[];
  readonly calls: readonly TranscriptCall[];
  /** Number of messages. */
  readonly length: number;
}

/**
 * Splits messages into lines, in order, in one pass. Omits blank lines.
 * @param isTyped returns whether a person typed the message at an index
 */
export function readTranscriptLines(messages: readonly Message[], isTyped: (at: number) => boolean): TranscriptLines {
  const lines: TranscriptLine[] = [];
  const calls: { -readonly [Field in keyof TranscriptCall]: TranscriptCall[Field] }[] = [];
  const open = new Map<string, number>();
  const inputs = followInputs(messages);
  const settings = new Map<string, string>();
  let newest = -1;
  const addText = (kind: LineKind, whole: string, at: number, call: number): void => {
    // A result of recall repeats lines from elsewhere in the conversation.
    if (kind === 'result' && isRecallTool(calls[call]?.name ?? '')) return;
    const texts: string[] = [];
    const continued: boolean[] = [];
    eachTextLine(whole, (line, continues) => {
      texts.push(line);
      continued.push(continues);
    });
    const listed = kind === 'result' ? findListedLines(texts) : null;
    texts.forEach((line, index) => {
      const { number, gutter } = listed?.[index] ?? { number: index + 1, gutter: 0 };
      const text = line.trimEnd();
      if (text.length <= gutter) return;
      const continues = continued[index]!;
      lines.push({ kind, text: continues ? line : text, at, number, gutter, call, continues });
    });
  };
  const addCall = (name: string, input: string, id: string, at: number): void => {
    const { head, target, body } = callText(name, input, settings);
    newest = calls.length;
    open.set(id, newest);
    calls.push({ name: oneLine(name), target, at, line: lines.length, answeredAt: -1 });
    const text = oneLine(head);
    if (text !== '') lines.push({ kind: 'call', text, at, number: 0, gutter: 0, call: newest, continues: false });
    addText('input', body.join('\n'), at, newest);
  };
  messages.forEach((message, at) => {
    let kind: LineKind = 'agent';
    let call = -1;
    if (message.name === unverifiedSummary && isToolResult(message)) kind = 'summary';
    else if (isToolResult(message)) {
      kind = 'result';
      call = (message.role === 'tool' ? open.get(message.tool_call_id ?? '') : undefined) ?? newest;
      if (call >= 0 && calls[call]!.answeredAt < 0) calls[call]!.answeredAt = at;
    } else if (isSystem(message)) kind = 'system';
    // Text that no person typed is data: harness messages, and messages with an unknown role.
    else if (message.role !== 'assistant') kind = isTyped(at) ? 'user' : 'result';
    const text = contentText(message.content);
    addText(kind, kind === 'result' ? withoutRemarks(text) : text, at, call);
    for (const one of toolCalls(message)) addCall(toolCallName(one), inputs.get(one) ?? toolCallInput(one), one.id, at);
    if (message.function_call) addCall(message.function_call.name, message.function_call.arguments, '', at);
  });
  return { lines, calls, length: messages.length };
}

/** Removes what a harness added around an output, unless it states that the call failed. */
function withoutRemarks(result: string): string {
  const { from, to, exitCode } = resultReader.unwrap(result);
  return exitCode === null || exitCode === 0 ? result.slice(from, to) : result;
}

/**
 * Finds numbered lines of a listing. Each must be next to a line with the neighboring number, so that search matches
 * and times of day do not count.
 * @returns one entry per line; `null` for a line without a number
 */
function findListedLines(lines: readonly string[]): readonly (ListedLine | null)[] {
  const found = lines.map((line): ListedLine | null => {
    const match = listed.exec(line);
    return match && { number: Number(match[1]), gutter: match[0].length };
  });
  return found.map((line, at) => {
    if (!line) return null;
    const joined = found[at - 1]?.number === line.number - 1 || found[at + 1]?.number === line.number + 1;
    return joined ? line : null;
  });
}
