import { checkList, checkRecord, malformationError, type Place } from '../native-error.ts';
import { checkPart, type TextFields } from '../read-message.ts';

const format = 'anthropic';

/** Throws if a value is not an Anthropic conversation. Messages are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  checkList(native, place);
  const { system } = native;
  if (system !== undefined && system !== null && typeof system !== 'string' && !Array.isArray(system))
    throw malformationError(place, 'system', 'is neither a string nor an array of blocks');
}

export function checkMessage(message: unknown, index: number): void {
  const place: Place = { format, index };
  checkRecord(message, place);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw malformationError(place, 'role', 'is not user, assistant or system');
  if (typeof content !== 'string' && !Array.isArray(content))
    throw malformationError(place, 'content', 'is neither a string nor an array of blocks');
}

const texts: TextFields = {
  text: ['text'],
  thinking: ['thinking'],
  tool_use: ['id', 'name'],
  tool_result: ['tool_use_id'],
};

/** Throws if a list contains an invalid block. @param path the field that contains the blocks */
export function checkBlocks(blocks: readonly unknown[], place: Place, path: string): void {
  for (let at = 0; at < blocks.length; at++) {
    const { type, content } = checkPart(blocks[at], place, `${path}[${at}]`, texts);
    if (type !== 'tool_result') continue;
    if (Array.isArray(content)) checkBlocks(content, place, `${path}[${at}].content`);
    else if (content !== undefined && content !== null && typeof content !== 'string')
      throw malformationError(place, `${path}[${at}].content`, 'is neither a string nor an array of blocks');
  }
}
