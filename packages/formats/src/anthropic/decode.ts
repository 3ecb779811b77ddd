import type { Content, Message } from '@palimpsest/core';
import type { Decoded, NativeOrigin } from '../codec.ts';
import { contentOf } from '../content.ts';
import { Memo } from '../memo.ts';
import type { Place } from '../native-error.ts';
import { assistantMessage, functionCall, PromptMemo } from '../read-message.ts';
import { fieldsOf } from '../record.ts';
import { checkBlocks, checkConversation, checkMessage } from './check.ts';
import type { AnthropicBlock, AnthropicConversation, AnthropicMessage } from './conversation.ts';
import { kindOf } from './grammar.ts';

/** A core message and the indices of its blocks; `undefined` for a native message whose content is a string. */
interface Unit {
  readonly message: Message;
  readonly blocks: readonly number[] | undefined;
}

const readMessages = new Memo<readonly Unit[]>();
const readPrompts = new Memo<Message>();
const prompts = new PromptMemo();

export function decodeAnthropic<Native extends AnthropicConversation>(native: Native): Decoded<Native> {
  checkConversation(native);
  const messages: Message[] = [];
  const origins: NativeOrigin[] = [];
  if (native.system !== undefined && native.system !== null && native.system.length > 0) {
    messages.push(readSystem(native.system, native.messages));
    origins.push({ pieces: [{ index: -1 }] });
  }
  native.messages.forEach((message, index) => {
    checkMessage(message, index);
    for (const { message: core, blocks } of readMessages.recall([message], () => unitsOf(message, index))) {
      messages.push(core);
      origins.push({ pieces: [blocks === undefined ? { index } : { index, blocks }] });
    }
  });
  return { native, messages, origins };
}

function readSystem(system: string | readonly AnthropicBlock[], messages: readonly AnthropicMessage[]): Message {
  if (typeof system === 'string') return prompts.recall(system, messages[0]);
  checkBlocks(system, { format: 'anthropic', index: -1 }, 'system');
  return readPrompts.recall(system, () => ({ role: 'system', content: contentOf(system) }));
}

function unitsOf(native: AnthropicMessage, index: number): readonly Unit[] {
  const { role, content } = native;
  if (typeof content === 'string') return [{ message: { role, content }, blocks: undefined }];
  const place: Place = { format: 'anthropic', index };
  checkBlocks(content, place, 'content');
  if (role === 'assistant') return [{ message: readAssistant(content, place), blocks: content.map((_, at) => at) }];
  return role === 'system'
    ? [{ message: { role, content: contentOf(content) }, blocks: content.map((_, at) => at) }]
    : userUnits(content);
}

/** Creates a tool message for each result, and user messages for the blocks between them. */
function userUnits(blocks: readonly AnthropicBlock[]): readonly Unit[] {
  const units: Unit[] = [];
  let own: number[] = [];
  const flush = (): void => {
    if (own.length === 0) return;
    units.push({ message: { role: 'user', content: contentOf(own.map((at) => blocks[at]!)) }, blocks: own });
    own = [];
  };
  blocks.forEach((block, at) => {
    if (block.type !== 'tool_result') {
      own.push(at);
      return;
    }
    flush();
    units.push({ message: resultMessage(block), blocks: [at] });
  });
  flush();
  return units.length > 0 ? units : [{ message: { role: 'user', content: [] }, blocks: [] }];
}

function resultMessage(block: AnthropicBlock): Message {
  const { tool_use_id: id, content } = fieldsOf(block);
  return { role: 'tool', tool_call_id: id as string, content: resultContent(content) };
}

function resultContent(content: unknown): Content {
  if (Array.isArray(content)) return contentOf(content as readonly AnthropicBlock[]);
  return typeof content === 'string' ? content : '';
}

function readAssistant(blocks: readonly AnthropicBlock[], place: Place): Message {
  const said = blocks.filter((block) => kindOf(block) === 'said');
  const calls = blocks
    .filter((block) => kindOf(block) === 'call')
    .map((block) => functionCall(fieldsOf(block), place, 'tool_use whose input'));
  const thoughts = blocks.map((block) => fieldsOf(block).thinking).filter((text) => typeof text === 'string');
  return assistantMessage(said.length === 0 ? null : contentOf(said), calls, thoughts);
}
