import { isRecord } from '@palimpsest/core/authoring';
import { checkList, checkRecord, malformationError, type Place } from '../native-error.ts';
import { checkPart, type TextFields } from '../read-message.ts';

const format = 'aiSdk';
const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

/** Throws if a value is not a conversation of the AI SDK. Messages are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  checkList(native, place);
  const { system } = native;
  for (const prompt of isRecord(system) ? [system] : Array.isArray(system) ? (system as unknown[]) : [])
    if (!isRecord(prompt) || typeof prompt.content !== 'string')
      throw malformationError(place, 'system', 'contains a message whose content is not a string');
  if (system !== undefined && system !== null && typeof system !== 'string' && typeof system !== 'object')
    throw malformationError(place, 'system', 'is neither a string nor a system message');
}

const texts: TextFields = {
  text: ['text'],
  reasoning: ['text'],
  'tool-call': ['toolCallId', 'toolName'],
  'tool-result': ['toolCallId', 'toolName'],
};

export function checkMessage(message: unknown, index: number): void {
  const place: Place = { format, index };
  checkRecord(message, place);
  const { role, content } = message;
  if (!roles.has(role)) throw malformationError(place, 'role', 'is not system, user, assistant or tool');
  if (typeof content === 'string' && role !== 'tool') return;
  if (!Array.isArray(content) || role === 'system')
    throw malformationError(place, 'content', role === 'system' ? 'is not a string' : 'is not an array of parts');
  content.forEach((part: unknown, at) => {
    const { type, output } = checkPart(part, place, `content[${at}]`, texts);
    if (type === 'tool-result') checkOutput(output, place, `content[${at}].output`);
  });
}

function checkOutput(output: unknown, place: Place, path: string): void {
  if (!isRecord(output) || typeof output.type !== 'string')
    throw malformationError(place, path, 'is not an output with a "type"');
  const { type, value } = output;
  if ((type === 'text' || type === 'error-text') && typeof value !== 'string')
    throw malformationError(place, `${path}.value`, 'is not a string');
  if (type !== 'content') return;
  if (!Array.isArray(value)) throw malformationError(place, `${path}.value`, 'is not an array of parts');
  value.forEach((part: unknown, at) => {
    if (!isRecord(part) || typeof part.type !== 'string')
      throw malformationError(place, `${path}.value[${at}]`, 'is not a part with a "type"');
  });
}
