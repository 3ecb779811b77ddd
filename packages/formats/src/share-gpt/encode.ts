import { isSystem, isToolResult, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { assemble, type Fragment } from '../assemble.ts';
import type { Decoded, EditedMessages } from '../codec.ts';
import { replay } from '../replay.ts';
import { rewriteBlocks } from '../rewrite-blocks.ts';
import type { ShareGptConversation, ShareGptTurn } from './conversation.ts';
import { shareGptGrammar, textOfContent } from './grammar.ts';
import { partsOf, type TurnBlocks } from './row.ts';
import { freshSegment, render, type Segment, textSegment } from './segment.ts';
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
    if (step.kind === 'gone') return [];
    if (step.kind === 'inserted') return [writtenFragment(step.message, nameOf)];
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

/** Turns that were left whole are the caller's own objects. */
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

/** Joining turns makes plain texts parts. */
function asSegment(part: { readonly type: string }): Segment {
  return 'before' in part ? (part as Segment) : textSegment((part as Segment).text);
}

function writtenFragment(message: Message, nameOf: (speaker: Speaker) => string): Fragment {
  return { role: nameOf(speakerFor(message)), index: null, edited: true, content: writeSegments(message) };
}

function speakerFor(message: Message): Speaker {
  if (isSystem(message)) return 'system';
  if (isToolResult(message)) return 'tool';
  return message.role === 'assistant' ? 'assistant' : 'user';
}

/** In the Hermes convention: thoughts, calls and answers in tags. */
function writeSegments(message: Message): string | readonly Segment[] {
  const text = textOfContent(message.content);
  if (isToolResult(message)) return [freshSegment('tool_response', text)];
  if (message.role !== 'assistant') return text;
  const calls = toolCalls(message).map((call) => writtenCall(toolCallName(call), toolCallInput(call)));
  const { function_call: legacy, reasoning_content: thought } = message;
  if (legacy) calls.push(writtenCall(legacy.name, legacy.arguments));
  if (calls.length === 0 && !thought) return text;
  return [
    ...(thought ? [freshSegment('think', thought)] : []),
    ...(text.trim() === '' ? [] : [freshSegment('text', text)]),
    ...calls,
  ];
}

function writtenCall(name: string, written: string): Segment {
  let given: unknown = written;
  try {
    given = JSON.parse(written);
  } catch {
    // Not JSON: it stands as the text it is.
  }
  return freshSegment('tool_call', JSON.stringify({ name, arguments: given }));
}

/** The row that says what core messages say, made from nothing. */
export function writeShareGpt(messages: readonly Message[]): ShareGptConversation {
  const nameOf = namesIn([]);
  return {
    conversations: turnsOf(
      messages.map((message) => writtenFragment(message, nameOf)),
      [],
      [],
    ),
  };
}
