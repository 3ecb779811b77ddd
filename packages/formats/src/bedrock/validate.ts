import { isRecord } from '@palimpsest/core/authoring';
import type { NativeViolation } from '../codec.ts';
import { fieldsIn, fieldsOf, recordsIn } from '../record.ts';
import { blocksOf, callIn, callsIn, imageFormats, kindOf, resultsIn } from './block.ts';
import { checkConversation, checkMessage } from './check.ts';
import type { BedrockBlock, BedrockConversation, BedrockMessage } from './conversation.ts';
import { documentsIn, isDocument, isDocumentName, nameOf } from './documents.ts';

/** Rules of `Converse`. */
export type BedrockRule =
  | 'no-messages'
  | 'first-not-user'
  | 'roles-not-alternating'
  | 'content-empty'
  | 'text-empty'
  | 'call-unanswered'
  | 'call-id-duplicate'
  | 'call-input-not-object'
  | 'result-orphan'
  | 'result-duplicate'
  | 'cache-points'
  | 'document-name'
  | 'document-name-duplicate'
  | 'document-without-text'
  | 'image-format';

type Add = (rule: BedrockRule, reason: string, at?: number) => void;

/** The maximum number of cache points in one request. */
const maxCachePoints = 4;

export function validateBedrock(native: BedrockConversation): readonly NativeViolation[] {
  checkConversation(native);
  const found: NativeViolation[] = [];
  const { messages = [] } = native;
  const system = native.system ?? [];
  const addAt =
    (index: number): Add =>
    (rule, reason, at = index) =>
      found.push({ index: at, rule, reason });
  if (messages.length === 0) addAt(-1)('no-messages', 'a request needs at least one message');
  const tools = recordsIn(fieldsIn(fieldsOf(native).toolConfig).tools);
  const names = new Set<unknown>();
  let points = [...system, ...tools].filter(isCachePoint).length;
  messages.forEach((message, index) => {
    checkMessage(message, index);
    const blocks = blocksOf(message);
    const add = addAt(index);
    points += blocks.filter(isCachePoint).length;
    checkBlocks(blocks, add);
    checkFiles(blocks, names, add);
    const before = messages[index - 1];
    if (!before && message.role !== 'user') add('first-not-user', 'the first message is not of the user');
    if (before?.role === message.role) add('roles-not-alternating', `two ${message.role} messages in a row`);
    checkResults(before, message, index, add);
  });
  const last = messages.at(-1);
  if (last) checkResults(last, { role: 'user', content: [] }, messages.length, addAt(messages.length - 1));
  if (points > maxCachePoints) addAt(-1)('cache-points', `${points} cache points; the maximum is ${maxCachePoints}`);
  return found.sort((left, right) => left.index - right.index);
}

function isCachePoint(block: BedrockBlock): boolean {
  return kindOf(block) === 'aside';
}

function checkBlocks(blocks: readonly BedrockBlock[], add: Add): void {
  if (blocks.every(isCachePoint)) add('content-empty', 'a message without content');
  const ids = new Set<unknown>();
  blocks.forEach((block, at) => {
    if ('text' in block && String(block.text).trim() === '') add('text-empty', `block ${at} is a text without content`);
    const call = callIn(block);
    if (!call) return;
    if (!isRecord(call.input))
      add('call-input-not-object', `block ${at} calls a tool with an input that is not an object`);
    if (ids.has(call.toolUseId)) add('call-id-duplicate', `block ${at} has the id of another call in this message`);
    ids.add(call.toolUseId);
  });
}

/** @param names the names of the documents of earlier messages; those of this one are added */
function checkFiles(blocks: readonly BedrockBlock[], names: Set<unknown>, add: Add): void {
  for (const document of documentsIn(blocks)) {
    const name = nameOf(document);
    if (!isDocumentName(name)) add('document-name', `a document has the name ${JSON.stringify(name)}`);
    if (names.has(name)) add('document-name-duplicate', `two documents have the name ${JSON.stringify(name)}`);
    names.add(name);
  }
  if (blocks.some(isDocument) && !blocks.some((block) => 'text' in block))
    add('document-without-text', 'a message with a document has no text');
  for (const block of blocks) {
    const { image } = fieldsOf(block);
    const { format } = fieldsIn(image);
    if (image !== undefined && !imageFormats.includes(String(format)))
      add('image-format', `an image has the format ${JSON.stringify(format)}`);
  }
}

/** Checks that a message has exactly one result for each call of the message before it, and no other results. */
function checkResults(before: BedrockMessage | undefined, message: BedrockMessage, index: number, add: Add): void {
  const calls = before?.role === 'assistant' ? callsIn(blocksOf(before)) : [];
  const open = new Set(calls.map(({ toolUseId }) => toolUseId));
  const answered = new Set<unknown>();
  for (const { toolUseId: id } of resultsIn(blocksOf(message))) {
    if (answered.has(id)) add('result-duplicate', 'a call is answered for the second time');
    else if (!open.has(id)) add('result-orphan', 'a result answers no call of the previous message');
    answered.add(id);
  }
  const missing = [...open].filter((id) => !answered.has(id)).length;
  if (missing > 0)
    add('call-unanswered', `${missing} of ${open.size} calls without a result in the next message`, index - 1);
}
