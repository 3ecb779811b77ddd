import { checkList, checkRecord, checkTexts, malformationError, type Place } from '../native-error.ts';
import { callIn, resultIn } from './block.ts';

const format = 'bedrock';

/** Throws if a value is not a conversation of `Converse`. Messages are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  checkList(native, place);
  const { system } = native;
  if (system !== undefined && system !== null) checkBlocks(system, place, 'system');
}

export function checkMessage(message: unknown, index: number): void {
  const place: Place = { format, index };
  checkRecord(message, place);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') throw malformationError(place, 'role', 'is not user or assistant');
  checkBlocks(content, place, 'content');
}

function checkBlocks(blocks: unknown, place: Place, path: string): void {
  if (!Array.isArray(blocks)) throw malformationError(place, path, 'is not an array of blocks');
  (blocks as readonly unknown[]).forEach((block, at) => {
    const field = `${path}[${at}]`;
    checkRecord(block, place, field);
    if ('text' in block) checkTexts(block, ['text'], place, `${field}.`);
    for (const name of ['toolUse', 'toolResult'])
      if (name in block) checkRecord(block[name], place, `${field}.${name}`);
    const call = callIn(block);
    if (call) checkTexts(call, ['toolUseId', 'name'], place, `${field}.toolUse.`);
    const result = resultIn(block);
    if (!result) return;
    checkTexts(result, ['toolUseId'], place, `${field}.toolResult.`);
    checkBlocks(result.content ?? [], place, `${field}.toolResult.content`);
  });
}
