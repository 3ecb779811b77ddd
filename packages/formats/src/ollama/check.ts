import { isRecord } from '@palimpsest/core/authoring';
import { checkList, checkRecord, checkTexts, malformationError, type Place } from '../native-error.ts';
import { isNothing } from '../record.ts';

const format = 'ollama';
const roles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** Throws if a value is not a conversation of Ollama's API. Messages are checked separately. */
export function checkConversation(native: unknown): void {
  checkList(native, { format, index: -1 });
}

export function checkMessage(message: unknown, index: number): void {
  const place: Place = { format, index };
  checkRecord(message, place);
  const { role, content, images, tool_calls: calls } = message;
  if (!roles.has(role)) throw malformationError(place, 'role', 'is not system, user, assistant or tool');
  // SDKs write an empty list for a message that has only pictures.
  const isEmptyList = Array.isArray(content) && content.length === 0;
  if (!isNothing(content) && typeof content !== 'string' && !isEmptyList)
    throw malformationError(place, 'content', 'is not a string');
  const given = ['thinking', 'tool_name', 'tool_call_id'].filter((name) => !isNothing(message[name]));
  checkTexts(message, given, place);
  if (!isNothing(images) && !(Array.isArray(images) && images.every((image) => typeof image === 'string')))
    throw malformationError(place, 'images', 'is not a list of pictures in base64');
  if (isNothing(calls)) return;
  if (!Array.isArray(calls)) throw malformationError(place, 'tool_calls', 'is not an array');
  calls.forEach((call, at) => checkCall(call, `tool_calls[${at}]`, place));
}

function checkCall(call: unknown, path: string, place: Place): void {
  if (!isRecord(call) || !isRecord(call.function))
    throw malformationError(place, path, 'is not an object with a "function"');
  checkTexts(call.function, ['name'], place, `${path}.function.`);
  const { arguments: input } = call.function;
  if (!isNothing(input)) checkRecord(input, place, `${path}.function.arguments`);
}
