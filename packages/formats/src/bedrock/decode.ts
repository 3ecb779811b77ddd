import type { Message, Part } from '@palimpsest/core';
import type { Decoded, NativeOrigin } from '../codec.ts';
import { contentOf } from '../content.ts';
import { Memo } from '../memo.ts';
import { assistantMessage, functionCall } from '../read-message.ts';
import { blocksOf, callsIn, kindOf, resultIn, thoughtIn, viewBlock } from './block.ts';
import { checkConversation, checkMessage } from './check.ts';
import type { BedrockBlock, BedrockConversation, BedrockMessage } from './conversation.ts';

/** A core message and the indices of its blocks. */
interface Unit {
  readonly message: Message;
  readonly blocks: readonly number[];
}

const readMessages = new Memo<readonly Unit[]>();
const readPrompts = new Memo<Message>();

export function decodeBedrock<Native extends BedrockConversation>(native: Native): Decoded<Native> {
  checkConversation(native);
  const messages: Message[] = [];
  const origins: NativeOrigin[] = [];
  const { system, messages: given = [] } = native;
  if (system && system.length > 0) {
    messages.push(readPrompts.recall([system, ...system], () => ({ role: 'system', content: readContent(system) })));
    origins.push({ pieces: [{ index: -1 }] });
  }
  given.forEach((message, index) => {
    checkMessage(message, index);
    for (const { message: core, blocks } of readMessages.recall([message], () => unitsOf(message, index))) {
      messages.push(core);
      origins.push({ pieces: [{ index, blocks }] });
    }
  });
  return { native, messages, origins };
}

function unitsOf(native: BedrockMessage, index: number): readonly Unit[] {
  const blocks = blocksOf(native);
  if (native.role === 'user') return userUnits(blocks);
  return [{ message: readAssistant(blocks, index), blocks: blocks.map((_, at) => at) }];
}

/** Creates a tool message for each result, and user messages for the blocks between them. A cache point stays with what is before it. */
function userUnits(blocks: readonly Part[]): readonly Unit[] {
  const units: { readonly isResult: boolean; readonly blocks: number[] }[] = [];
  blocks.forEach((block, at) => {
    const isResult = kindOf(block) === 'result';
    const last = units.at(-1);
    const isSame = last && (kindOf(block) === 'aside' || !(last.isResult || isResult));
    if (isSame) last.blocks.push(at);
    else units.push({ isResult, blocks: [at] });
  });
  if (units.length === 0) units.push({ isResult: false, blocks: [] });
  return units.map(({ isResult, blocks: own }) => {
    const message: Message = isResult
      ? readResult(blocks[own[0]!]!)
      : { role: 'user', content: readContent(own.map((at) => blocks[at]!)) };
    return { message, blocks: own };
  });
}

function readContent(blocks: readonly BedrockBlock[]): Message['content'] {
  return contentOf(blocks.filter((block) => kindOf(block) === 'said') as Part[], viewBlock);
}

function readResult(block: BedrockBlock): Message {
  const { toolUseId: id, content } = resultIn(block)!;
  const inner = (content ?? []) as readonly Part[];
  return { role: 'tool', tool_call_id: id as string, content: inner.length === 0 ? '' : contentOf(inner, viewBlock) };
}

function readAssistant(blocks: readonly Part[], index: number): Message {
  const place = { format: 'bedrock', index };
  return assistantMessage(
    blocks.some((block) => kindOf(block) === 'said') ? readContent(blocks) : null,
    callsIn(blocks).map((call) => functionCall({ ...call, id: call.toolUseId }, place, 'toolUse whose input')),
    blocks.map(thoughtIn).filter((text) => text !== undefined),
  );
}
