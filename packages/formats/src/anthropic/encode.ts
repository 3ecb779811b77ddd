import { leadingSystems, type Message, type Part } from '@palimpsest/core';
import { asBlocks, assemble, type Fragment, isEmpty, toFragment } from '../assemble.ts';
import type { Decoded, EditedMessages, NativePiece } from '../codec.ts';
import { PartPool } from '../content.ts';
import { replay, type Step } from '../replay.ts';
import { rewriteBlocks } from '../rewrite-blocks.ts';
import { nativeBlocks } from '../write-message.ts';
import { withinMarks } from './cache-marks.ts';
import type { AnthropicBlock, AnthropicConversation, AnthropicMessage } from './conversation.ts';
import { anthropicGrammar } from './grammar.ts';
import { contentBlocks, roleOf, writeBlocks } from './write.ts';

export function encodeAnthropic<Native extends AnthropicConversation>(
  decoded: Decoded<Native>,
  result: EditedMessages,
): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const { native } = decoded;
  let system = native.system;
  const fragments: Fragment[] = [];
  for (const step of steps) {
    const piece = step.kind === 'inserted' ? undefined : decoded.origins[step.unit]!.pieces[0]!;
    if (piece?.index === -1) {
      if (step.kind === 'rewritten') system = rewriteSystem(native.system!, decoded.messages[step.unit]!, step.message);
      else if (step.kind === 'removed') system = undefined;
      continue;
    }
    const fragment = fragmentOf(decoded, step, piece);
    if (fragment) fragments.push(fragment);
  }
  const placed = placeSystem(fragments);
  system = withUnplaced(system, placed.unplaced);
  const messages = assemble(placed.fragments, native.messages, true);
  // New messages are plain `MessageParam`s, so they have the caller's type.
  const written = system === native.system ? { ...native, messages } : { ...native, messages, system };
  return withinMarks(written, native);
}

/** Appends system messages without a legal place among the messages to the system prompt. */
function withUnplaced(
  system: AnthropicConversation['system'],
  unplaced: readonly Fragment[],
): AnthropicConversation['system'] {
  if (unplaced.length === 0) return system;
  const [only] = unplaced;
  if (!system && unplaced.length === 1) return only!.content;
  return [
    ...(typeof system === 'string' ? contentBlocks(system) : (system ?? [])),
    ...unplaced.flatMap(({ content }) => asBlocks(content)),
  ];
}

function fragmentOf(
  decoded: Decoded<AnthropicConversation>,
  step: Step,
  piece: NativePiece | undefined,
): Fragment | null {
  if (step.kind === 'inserted') {
    const pool = new PartPool(step.carries.flatMap((unit) => nativeBlocks(decoded, unit)));
    return toFragment(roleOf(step.message), writeBlocks(step.message, pool));
  }
  const { index, blocks: at } = piece!;
  const { role, content } = decoded.native.messages[index]!;
  const blocks = typeof content === 'string' ? content : at!.map((position) => content[position]!);
  if (step.kind === 'kept') return { role, index, edited: false, content: blocks };
  if (step.kind === 'rewritten')
    return {
      role,
      index,
      edited: true,
      content: rewriteBlocks(anthropicGrammar, blocks, decoded.messages[step.unit]!, step.message),
    };
  // A compaction by the provider replaces everything before it, so it is kept even if its message is removed.
  const surviving = typeof blocks === 'string' ? [] : blocks.filter(({ type }) => type === 'compaction');
  return surviving.length === 0 ? null : { role, index, edited: true, content: surviving };
}

/** Rewrites the system prompt. If text was only appended, its blocks stay the same, and so does the cache. */
function rewriteSystem(
  system: string | readonly AnthropicBlock[],
  before: Message,
  after: Message,
): string | readonly Part[] {
  if (typeof system === 'string' && typeof after.content === 'string') return after.content;
  const blocks: readonly Part[] = typeof system === 'string' ? contentBlocks(system) : system;
  return rewriteBlocks(anthropicGrammar, blocks, before, after);
}

/** Writes core messages as a new conversation. */
export function writeAnthropic(messages: readonly Message[]): AnthropicConversation {
  const prompts = messages.slice(0, leadingSystems(messages));
  const pool = new PartPool([]);
  const own = messages.slice(prompts.length);
  const placed = placeSystem(own.map((message) => toFragment(roleOf(message), writeBlocks(message, pool))));
  const written = assemble<AnthropicMessage>(placed.fragments, [], true);
  const first = prompts.map(({ content }) =>
    toFragment('system', typeof content === 'string' ? content : contentBlocks(content)),
  );
  const system = withUnplaced(undefined, [...first, ...placed.unplaced]);
  return system === undefined ? { messages: written } : { system, messages: written };
}

/** Fragments with every system message in a legal place, and the system messages that have none. */
interface PlacedSystem {
  readonly fragments: readonly Fragment[];
  /** System messages without a user turn before them. They belong in the top-level `system`. */
  readonly unplaced: readonly Fragment[];
}

/**
 * Moves system messages to the next legal place: directly after a user turn (tool results count as one), and before an
 * assistant turn or at the end. Adjacent system messages are joined.
 * Source: https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
function placeSystem(given: readonly Fragment[]): PlacedSystem {
  const fragments: Fragment[] = [];
  let waiting: Fragment[] = [];
  const place = (): void => {
    if (waiting.length === 0 || fragments.at(-1)?.role !== 'user') return;
    fragments.push(joinSystems(waiting));
    waiting = [];
  };
  for (const fragment of given) {
    // A message that an edit emptied is not a turn.
    if (fragment.edited && isEmpty(fragment.content)) continue;
    if (fragment.role === 'system') {
      waiting.push(fragment);
      continue;
    }
    if (fragment.role === 'assistant') place();
    fragments.push(fragment);
  }
  place();
  return { fragments, unplaced: waiting };
}

function joinSystems(systems: readonly Fragment[]): Fragment {
  if (systems.length === 1) return systems[0]!;
  return { role: 'system', index: null, edited: true, content: systems.flatMap(({ content }) => asBlocks(content)) };
}
