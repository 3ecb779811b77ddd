import { isSystem, isToolResult, type Message, type ToolCall, toolCallInput, toolCallName } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import { assemble, type Fragment } from '../assemble.ts';
import type { Decoded, EditedMessages } from '../codec.ts';
import { replay } from '../replay.ts';
import { rewriteBlocks } from '../rewrite-blocks.ts';
import { callsOf } from '../write-message.ts';
import type { ShareGptConversation, ShareGptTurn } from './conversation.ts';
import { shareGptGrammar, textOfContent } from './grammar.ts';
import { partsOf, type TurnBlocks, unseenTool } from './row.ts';
import { freshSegment, readCall, render, type Segment, segmentsOf, textSegment } from './segment.ts';
import { namesIn, type Speaker } from './speaker.ts';

export function encodeShareGpt<Native extends ShareGptConversation>(
  decoded: Decoded<Native>,
  result: EditedMessages,
): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const turns = decoded.native.conversations;
  const blocks = partsOf(turns).flatMap((part) => part.turns);
  const nameOf = namesIn(turns);
  const fragments = steps.flatMap((step): Fragment[] => {
    if (step.kind === 'removed') return [];
    if (step.kind === 'inserted') return [writeFragment(step.message, nameOf)];
    return decoded.origins[step.unit]!.pieces.map(({ index, blocks: at }, piece): Fragment => {
      const { role, content } = blocks[index]!;
      const own = typeof content === 'string' || !at ? content : at.map((position) => content[position]!);
      if (step.kind === 'kept' || piece > 0) return { role, index, edited: false, content: own };
      const edited = rewriteBlocks(shareGptGrammar, own, decoded.messages[step.unit]!, step.message);
      return { role, index, edited: true, content: edited };
    });
  });
  return { ...decoded.native, conversations: turnsOf(fragments, blocks, turns) };
}

/** Converts fragments to turns. Unchanged turns are the caller's objects. */
function turnsOf(
  fragments: readonly Fragment[],
  blocks: readonly TurnBlocks[],
  turns: readonly ShareGptTurn[],
): readonly ShareGptTurn[] {
  const whole = new Map(blocks.map((own, index) => [own, turns[index]!]));
  return assemble(fragments, blocks, true).map((turn) => {
    const { role, content } = turn;
    return (
      whole.get(turn) ?? { from: role, value: typeof content === 'string' ? content : render(content.map(asSegment)) }
    );
  });
}

/** Converts a part to a segment: joined turns may contain plain text parts. */
function asSegment(part: { readonly type: string }): Segment {
  return 'before' in part ? (part as Segment) : textSegment((part as Segment).text);
}

/** @param answers ids of the calls answered by the tool messages after it, in order. @default all calls are answered */
function writeFragment(
  message: Message,
  nameOf: (speaker: Speaker) => string,
  answers?: readonly string[] | undefined,
): Fragment {
  return { role: nameOf(speakerFor(message)), index: null, edited: true, content: writeSegments(message, answers) };
}

function speakerFor(message: Message): Speaker {
  if (isSystem(message)) return 'system';
  if (isToolResult(message)) return 'tool';
  return message.role === 'assistant' ? 'assistant' : 'user';
}

/** Writes a message in the Hermes convention, with thoughts, calls and answers in tags. */
function writeSegments(message: Message, answers: readonly string[] | undefined): string | readonly Segment[] {
  const content = textOfContent(message.content);
  if (isToolResult(message)) return [freshSegment('tool_response', content)];
  if (message.role !== 'assistant') return content;
  const text = withoutOpenTags(content);
  const calls = writeCalls(message, answers);
  const thought = message.reasoning_content?.trim();
  if (calls.length === 0 && !thought) return text;
  const said = text.trim() === '' ? [] : [freshSegment('text', text)];
  return [...(thought ? [freshSegment('think', thought)] : []), ...said, ...calls];
}

/**
 * Rows have no ids, so calls and answers are paired by position. Unanswered calls come first and are read back as text.
 */
function writeCalls(message: Message, answers: readonly string[] | undefined): readonly Segment[] {
  const calls = callsOf(message).map((call) => ({ id: call.id, segment: writeCall(call) }));
  if (!answers || answers.length === 0 || calls.length === 0) return calls.map(({ segment }) => segment);
  const waiting = new Map<string, Segment[]>();
  for (const { id, segment } of calls.toReversed()) {
    const same = waiting.get(id);
    if (same) same.push(segment);
    else waiting.set(id, [segment]);
  }
  const answered = answers.map((id) => waiting.get(id)?.pop() ?? callSegment(unseenTool, '{}'));
  const known = new Set(answered);
  return [...calls.flatMap(({ segment }) => (known.has(segment) ? [] : [segment])), ...answered];
}

/** Escapes tags that are not closed. Otherwise the calls after them would be read as part of the tag. */
function withoutOpenTags(text: string): string {
  const last = segmentsOf(text, ['think', 'tool_call']).at(-1);
  if (last?.type !== 'text') return text;
  const from = text.length - render([last]).length;
  return text.slice(0, from) + text.slice(from).replaceAll(/<(think|tool_call)>/g, '<\\$1>');
}

function writeCall(call: ToolCall): Segment {
  const input = toolCallInput(call);
  const name = toolCallName(call);
  // `decode` turns a call that is not JSON into this form.
  if (call.type === 'custom' && name === unseenTool && readCall(input) === null)
    return freshSegment('tool_call', input);
  return callSegment(name, input);
}

/** Writes arguments that are a JSON object or list as JSON, and all others as a string. */
function callSegment(name: string, written: string): Segment {
  let given: unknown = written;
  try {
    const parsed: unknown = JSON.parse(written);
    if (typeof parsed === 'object' && parsed !== null) given = parsed;
  } catch {
    // Not JSON: written as a string.
  }
  return freshSegment('tool_call', jsonText({ name, arguments: given }));
}

/** Writes core messages as a new row. */
export function writeShareGpt(messages: readonly Message[]): ShareGptConversation {
  const nameOf = namesIn([]);
  const answers = answersBehind(messages);
  return {
    conversations: turnsOf(
      messages.map((message, at) => writeFragment(message, nameOf, answers[at])),
      [],
      [],
    ),
  };
}

/** For each message, the call ids that the tool messages directly after it answer. */
function answersBehind(messages: readonly Message[]): readonly (readonly string[])[] {
  const found: string[][] = [];
  let run: string[] = [];
  for (const message of messages.toReversed()) {
    if (isToolResult(message)) run.push(message.tool_call_id ?? message.name ?? '');
    found.push(isToolResult(message) ? [] : run.reverse());
    if (!isToolResult(message)) run = [];
  }
  return found.reverse();
}
