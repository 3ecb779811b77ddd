import type { Message, ToolCall } from '@palimpsest/core';
import type { BlockMessage } from '../grammar.ts';
import { Memo } from '../memo.ts';
import { checkRecord, checkTexts, malformationError, type Place } from '../native-error.ts';
import { assistantMessage } from '../read-message.ts';
import type { ShareGptTurn } from './conversation.ts';
import { readCall, readCallList, type Segment, segmentsOf, textSegment } from './segment.ts';
import { speakerOf } from './speaker.ts';

/** A parsed turn: its text, or its segments. */
export interface TurnBlocks extends BlockMessage {
  readonly content: string | readonly Segment[];
}

/** Parsed turns and their core messages. The indices of pieces are relative to the first turn. */
export interface RowPart {
  readonly turns: readonly TurnBlocks[];
  readonly units: readonly Unit[];
}

/** A core message and the native pieces it was made from. */
interface Unit {
  readonly message: Message;
  readonly pieces: { index: number; blocks?: number[] }[];
}

const memo = new Memo<RowPart>();

/** Splits a row into parts: an assistant turn with the tool results after it is one part, and so is every other turn. */
export function partsOf(turns: readonly ShareGptTurn[]): RowPart[] {
  turns.forEach(checkTurn);
  const parts: RowPart[] = [];
  for (let at = 0; at < turns.length; ) {
    const turn = turns[at]!;
    const speaker = speakerOf(turn.from)!;
    let end = at + 1;
    const calls = speaker === 'assistant' || speaker === 'call';
    while (calls && end < turns.length && speakerOf(turns[end]!.from) === 'tool') end++;
    const answers = turns.slice(at + 1, end);
    // The next turn is part of the key: a call without answers is pending only in the last turn.
    const known = answers.length === 0 ? turns.slice(at, end + 1) : turns.slice(at, end);
    parts.push(memo.recall(known, () => (calls ? readCalls(turn, answers, end === turns.length) : readTurn(turn))));
    at = end;
  }
  return parts;
}

function checkTurn(turn: unknown, index: number): void {
  const place: Place = { format: 'shareGpt', index };
  checkRecord(turn, place);
  if (speakerOf(turn.from) === undefined) throw malformationError(place, 'from', 'is not a known speaker');
  checkTexts(turn, ['value'], place);
}

function readTurn(turn: ShareGptTurn): RowPart {
  const { from, value } = turn;
  const role = speakerOf(from) as 'system' | 'user' | 'tool';
  if (role === 'tool') return readOrphans(turn);
  return {
    turns: [{ role: from, content: value }],
    units: [{ message: { role, content: value }, pieces: [{ index: 0 }] }],
  };
}

/** Reads answers without a preceding assistant turn as tool messages without a call id. */
function readOrphans({ from, value }: ShareGptTurn): RowPart {
  const content = responsesOf(value);
  const units: Unit[] = [];
  addAnswers(units, content, 0, () => '');
  return { turns: [{ role: from, content }], units };
}

/**
 * Reads an assistant turn and the answers of tools after it. Unanswered calls are read as text, unless the turn is the last
 * one. An answer without a call gets a call without input.
 */
function readCalls(turn: ShareGptTurn, answers: readonly ShareGptTurn[], isLast: boolean): RowPart {
  const answered = answers.map(({ from, value }): TurnBlocks => ({ role: from, content: responsesOf(value) }));
  const results = answered.map(({ content }) => (content as readonly Segment[]).filter(isResponse));
  const count = results.flat().length;
  const segments = assistantSegments(turn, isLast && count === 0 ? Number.POSITIVE_INFINITY : count);
  const calls = segments.filter(isCall).map(({ text }, at) => toolCall(text, at));
  while (calls.length < count) calls.push(createCall(calls.length));
  const isPlain = segments.every(({ type }) => type === 'text' || type === 'blank');
  const own: TurnBlocks = { role: turn.from, content: isPlain ? turn.value : segments };
  const said = segments.flatMap(({ type, text }) => (type === 'text' ? [text] : []));
  const thoughts = segments.flatMap(({ type, text }) => (type === 'think' && text !== '' ? [text] : []));
  const content = isPlain && calls.length === 0 ? turn.value : said.length === 0 ? null : said.join('\n');
  const message = assistantMessage(content, calls, thoughts);
  const whole: Unit['pieces'][number] = isPlain ? { index: 0 } : { index: 0, blocks: segments.map((_, at) => at) };
  const units: Unit[] = [{ message, pieces: [whole] }];
  let id = 0;
  answered.forEach(({ content: blocks }, at) => {
    addAnswers(units, blocks as readonly Segment[], at + 1, () => `call_${id++}`);
  });
  return { turns: [own, ...answered], units };
}

/** Adds a tool message for each response of a turn. Text next to a response belongs to the message before it. */
function addAnswers(units: Unit[], segments: readonly Segment[], index: number, nextId: () => string): void {
  const leading: number[] = [];
  segments.forEach((segment, position) => {
    const pieces = units.at(-1)?.pieces;
    const last = pieces?.at(-1);
    if (isResponse(segment)) {
      const message: Message = { role: 'tool', tool_call_id: nextId(), content: segment.text };
      units.push({ message, pieces: [{ index, blocks: [...leading.splice(0), position] }] });
    } else if (!pieces) leading.push(position);
    else if (last?.index === index && last.blocks) last.blocks.push(position);
    else pieces.push({ index, blocks: [position] });
  });
}

function isCall({ type }: Segment): boolean {
  return type === 'tool_call' || type === 'listed_call';
}

function isResponse({ type }: Segment): boolean {
  return type === 'tool_response';
}

function responsesOf(value: string): readonly Segment[] {
  const segments = segmentsOf(value, ['tool_response']);
  // Without tags the whole turn is the answer, including white space.
  return segments.some(isResponse) ? segments : [{ type: 'tool_response', text: value, before: '', after: '' }];
}

function assistantSegments({ from, value }: ShareGptTurn, calls: number): readonly Segment[] {
  const segments = speakerOf(from) === 'call' ? readCallList(value) : segmentsOf(value, ['think', 'tool_call']);
  const found = segments.filter(isCall).length;
  if (found <= calls) return segments;
  // A JSON list of calls cannot be split into calls and text.
  if (speakerOf(from) === 'call') return [textSegment(value)];
  // An answer belongs to the call right before it, so the last calls are the answered ones.
  let unanswered = found - calls;
  return segments.map((segment) => {
    if (!isCall(segment) || unanswered-- <= 0) return segment;
    return textSegment(segment.before + segment.text + segment.after);
  });
}

/** Reads a call. The format has no ids, so they are numbered within the message. */
function toolCall(text: string, at: number): ToolCall {
  const call = readCall(text);
  if (!call) return { id: `call_${at}`, type: 'custom', custom: { name: unseenTool, input: text } };
  return { id: `call_${at}`, type: 'function', function: call };
}

/** Name for the tool of a call that cannot be read. */
export const unseenTool = 'tool';

/** Creates a call for an answer without one. */
function createCall(at: number): ToolCall {
  return { id: `call_${at}`, type: 'function', function: { name: unseenTool, arguments: '{}' } };
}
