import { isRecord } from '@palimpsest/core/authoring';
import { malformationError, type Place } from '../native-error.ts';
import { callIn, resultIn } from './block.ts';

const format = 'bedrock';

/** Throws if a value is not a conversation of `Converse`. Messages are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  if (!isRecord(native)) throw malformationError(place, '', 'it is not an object with "messages"');
  if (!Array.isArray(native.messages)) throw malformationError(place, 'messages', 'is not an array');
  const { system } = native;
  if (system !== undefined && system !== null) checkBlocks(system, place, 'system');
}

export function checkMessage(message: unknown, index: number): void {
  const place: Place = { format, index };
  if (!isRecord(message)) throw malformationError(place, '', 'it is not an object');
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') throw malformationError(place, 'role', 'is not user or assistant');
  checkBlocks(content, place, 'content');
}

function checkBlocks(blocks: unknown, place: Place, path: string): void {
  if (!Array.isArray(blocks)) throw malformationError(place, path, 'is not an array of blocks');
  (blocks as readonly unknown[]).forEach((block, at) => {
    const field = `${path}[${at}]`;
    if (!isRecord(block)) throw malformationError(place, field, 'is not an object');
    if ('text' in block && typeof block.text !== 'string')
      throw malformationError(place, `${field}.text`, 'is not a string');
    for (const name of ['toolUse', 'toolResult'])
      if (name in block && !isRecord(block[name]))
        throw malformationError(place, `${field}.${name}`, 'is not an object');
    checkTexts(callIn(block), ['toolUseId', 'name'], place, `${field}.toolUse`);
    const result = resultIn(block);
    checkTexts(result, ['toolUseId'], place, `${field}.toolResult`);
    if (result) checkBlocks(result.content ?? [], place, `${field}.toolResult.content`);
  });
}

function checkTexts(value: Record<string, unknown> | null, names: readonly string[], place: Place, path: string): void {
  for (const name of value ? names : [])
    if (typeof value![name] !== 'string') throw malformationError(place, `${path}.${name}`, 'is not a string');
}
