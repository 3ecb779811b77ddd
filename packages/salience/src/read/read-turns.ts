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
import { eachTextLine } from './text-lines.ts';
import { unverifiedSummary } from './unverified-summary.ts';

/**
 * Where a line comes from. `user` and `agent`: their messages; `call`: a tool call on one line; `input`: a line of a
 * long argument; `result`: a line of a tool result; `summary`: a line of an unverified summary; `system`: a line of a
 * system message.
 */
export type LineKind = 'user' | 'agent' | 'call' | 'input' | 'result' | 'summary' | 'system';

/** One line of the turns, the unit the extractive writer keeps or leaves. */
export interface TurnLine {
  readonly kind: LineKind;
  readonly text: string;
  /** Position of the message among those to condense. */
  readonly at: number;
  /** Position of the line in its message (or argument), from 1. */
  readonly number: number;
  /** The call a `call`, `input` or `result` line belongs to, -1 without one. */
  readonly call: number;
  /** True for a piece of a long line that goes on where the piece before it ended. */
  readonly continues: boolean;
}

/** One tool call of the turns. */
export interface TurnCall {
  readonly name: string;
  readonly target: string;
  readonly at: number;
  /** Index of its `call` line. */
  readonly line: number;
  /** Position of the message that answers it, -1 while none does. */
  answeredAt: number;
}

/** The turns as lines. */
export interface TurnLines {
  readonly lines: readonly TurnLine[];
  readonly calls: readonly TurnCall[];
  /** Messages there are. */
  readonly length: number;
}

/** Takes the turns apart into lines, in order, in one pass. Blank lines are left out. */
export function readTurns(messages: readonly Message[], isReal: (at: number) => boolean): TurnLines {
  const lines: TurnLine[] = [];
  const calls: TurnCall[] = [];
  const open = new Map<string, number>();
  let newest = -1;
  const addText = (kind: LineKind, whole: string, at: number, call: number): void => {
    let number = 0;
    eachTextLine(whole, (line, continues) => {
      number++;
      const text = line.trimEnd();
      if (text !== '') lines.push({ kind, text: continues ? line : text, at, number, call, continues });
    });
  };
  const addCall = (name: string, input: string, id: string, at: number): void => {
    const { head, target, body } = callText(name, input);
    newest = calls.length;
    open.set(id, newest);
    calls.push({ name: oneLine(name), target, at, line: lines.length, answeredAt: -1 });
    const text = oneLine(head);
    if (text !== '') lines.push({ kind: 'call', text, at, number: 0, call: newest, continues: false });
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
    // Text that no person typed counts as data: harness messages and messages with an unknown role.
    else if (message.role !== 'assistant') kind = isReal(at) ? 'user' : 'result';
    addText(kind, contentText(message.content), at, call);
    for (const one of toolCalls(message)) addCall(toolCallName(one), toolCallInput(one), one.id, at);
    if (message.function_call) addCall(message.function_call.name, message.function_call.arguments, '', at);
  });
  return { lines, calls, length: messages.length };
}
