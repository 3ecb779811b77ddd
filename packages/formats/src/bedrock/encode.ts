import { isSystem, type Message, type Part } from '@palimpsest/core';
import { assemble, type Fragment, toFragment } from '../assemble.ts';
import type { Decoded, EditedMessages, NativePiece } from '../codec.ts';
import { PartPool } from '../content.ts';
import type { Grammar } from '../grammar.ts';
import { replay, type Step } from '../replay.ts';
import { rewriteBlocks } from '../rewrite-blocks.ts';
import { inputObject } from '../write-message.ts';
import { blocksOf, callIn, kindOf, resultIn, viewBlock } from './block.ts';
import type { BedrockConversation, BedrockMessage } from './conversation.ts';
import { fitDocuments } from './documents.ts';
import { contentBlocks, writeBlocks } from './write.ts';

const bedrockGrammar: Grammar = {
  kindsOf: (blocks) => blocks.map(kindOf),
  contentBlocks,
  poolOf: (blocks) => new PartPool(blocks, viewBlock),
  withInput: (block, written) => ({ ...block, toolUse: { ...callIn(block), input: inputObject(written) } }) as Part,
  withContent(block, content) {
    const result = resultIn(block)!;
    const pool = new PartPool((result.content ?? []) as readonly Part[], viewBlock);
    return { ...block, toolResult: { ...result, content: contentBlocks(content, pool) } } as Part;
  },
};

/** A message whose content is present. */
interface WithContent {
  readonly role: string;
  readonly content: readonly Part[];
}

export function encodeBedrock<Native extends BedrockConversation>(
  decoded: Decoded<Native>,
  result: EditedMessages,
): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const { native } = decoded;
  let system = native.system as readonly Part[] | undefined;
  const later: Part[] = [];
  const fragments: Fragment[] = [];
  for (const step of steps) {
    const piece = step.kind === 'inserted' ? undefined : decoded.origins[step.unit]!.pieces[0]!;
    const isPrompt = piece?.index === -1;
    if (isPrompt && step.kind === 'rewritten')
      system = withEditedBlocks(system!, decoded.messages[step.unit]!, step.message);
    else if (isPrompt && step.kind === 'removed') system = undefined;
    else if (step.kind === 'inserted' && isSystem(step.message)) later.push(...contentBlocks(step.message.content));
    else if (!isPrompt) fragments.push(...fragmentOf(decoded, step, piece));
  }
  if (later.length > 0) system = [...(system ?? []), ...later];
  const given = (native.messages ?? []) as unknown as readonly WithContent[];
  const messages = fitDocuments(assemble(fragments, given, true), given);
  return system === native.system ? { ...native, messages } : { ...native, messages, system };
}

function fragmentOf(
  decoded: Decoded<BedrockConversation>,
  step: Step,
  piece: NativePiece | undefined,
): readonly Fragment[] {
  if (step.kind === 'removed') return [];
  if (step.kind === 'inserted') {
    const carried = step.carries.flatMap((unit) => nativeBlocks(decoded, decoded.origins[unit]!.pieces[0]!));
    return [toFragment(roleOf(step.message), writeBlocks(step.message, new PartPool(carried, viewBlock)))];
  }
  const { index } = piece!;
  const role = decoded.native.messages?.[index]?.role ?? 'user';
  const blocks = nativeBlocks(decoded, piece!);
  if (step.kind === 'kept') return [{ role, index, edited: false, content: blocks }];
  const content = withEditedBlocks(blocks, decoded.messages[step.unit]!, step.message);
  return [{ role, index, edited: true, content }];
}

function nativeBlocks({ native }: Decoded<BedrockConversation>, { index, blocks = [] }: NativePiece): readonly Part[] {
  const given = blocksOf(native.messages?.[index] ?? {});
  return blocks.map((at) => given[at]!);
}

/** Blocks after an edit. A cache point must be behind something else. */
function withEditedBlocks(blocks: readonly Part[], before: Message, after: Message): readonly Part[] {
  const written = rewriteBlocks(bedrockGrammar, blocks, before, after) as readonly Part[];
  return written.filter((block, at) => {
    const last = written[at - 1];
    return kindOf(block) !== 'aside' || (last !== undefined && kindOf(last) !== 'aside');
  });
}

function roleOf(message: Message): 'user' | 'assistant' {
  return message.role === 'assistant' ? 'assistant' : 'user';
}

/** Writes core messages as a new conversation. System messages have no place among the others: they become the prompt. */
export function writeBedrock(messages: readonly Message[]): BedrockConversation {
  const pool = new PartPool([]);
  const system = messages.filter(isSystem).flatMap(({ content }) => contentBlocks(content, pool));
  const fragments = messages
    .filter((message) => !isSystem(message))
    .map((message) => toFragment(roleOf(message), writeBlocks(message, pool)));
  const written: readonly BedrockMessage[] = fitDocuments(assemble<WithContent>(fragments, [], true), []);
  return system.length === 0 ? { messages: written } : { system, messages: written };
}
