import { isRecord } from '@palimpsest/core/authoring';
import { malformationError, type Place } from '../native-error.ts';
import { type Fields, fieldsOf, isNothing } from '../record.ts';
import type { OllamaMessage } from './conversation.ts';

const format = 'ollama';
const roles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** Throws if a value is not a conversation of Ollama's API. Messages are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  if (!isRecord(native)) throw malformationError(place, '', 'it is not an object with "messages"');
  if (!Array.isArray(native.messages)) throw malformationError(place, 'messages', 'is not an array');
}

export function checkMessage(message: OllamaMessage, index: number): void {
  const place: Place = { format, index };
  if (!isRecord(message)) throw malformationError(place, '', 'it is not an object');
  const { role, content, images, tool_calls: calls } = fieldsOf(message);
  if (!roles.has(role)) throw malformationError(place, 'role', 'is not system, user, assistant or tool');
  // SDKs write an empty list for a message that has only pictures.
  const isEmptyList = Array.isArray(content) && content.length === 0;
  if (!isNothing(content) && typeof content !== 'string' && !isEmptyList)
    throw malformationError(place, 'content', 'is not a string');
  for (const name of ['thinking', 'tool_name', 'tool_call_id']) checkText(fieldsOf(message), name, place);
  if (!isNothing(images) && !(Array.isArray(images) && images.every((image) => typeof image === 'string')))
    throw malformationError(place, 'images', 'is not a list of pictures in base64');
  if (isNothing(calls)) return;
  if (!Array.isArray(calls)) throw malformationError(place, 'tool_calls', 'is not an array');
  calls.forEach((call, at) => checkCall(call, `tool_calls[${at}]`, place));
}

function checkCall(call: unknown, path: string, place: Place): void {
  if (!isRecord(call) || !isRecord(call.function))
    throw malformationError(place, path, 'is not an object with a "function"');
  const { name, arguments: input } = call.function;
  if (typeof name !== 'string') throw malformationError(place, `${path}.function.name`, 'is not a string');
  if (!isNothing(input) && !isRecord(input))
    throw malformationError(place, `${path}.function.arguments`, 'is not an object');
}

function checkText(message: Fields, name: string, place: Place): void {
  if (!isNothing(message[name]) && typeof message[name] !== 'string')
    throw malformationError(place, name, 'is not a string');
}
