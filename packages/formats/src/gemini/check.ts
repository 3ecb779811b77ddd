import { isRecord } from '@palimpsest/core/authoring';
import { malformationError, type Place } from '../native-error.ts';
import type { GeminiContent } from './conversation.ts';
import { fieldIn } from './part.ts';

const format = 'gemini';

/** Throws if a value is not a conversation of the Gemini API. Contents are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  if (!isRecord(native)) throw malformationError(place, '', 'it is not an object with "contents"');
  if (!Array.isArray(native.contents)) throw malformationError(place, 'contents', 'is not an array');
  const system = fieldIn(native, 'systemInstruction');
  if (system === undefined || system === null) return;
  if (!isRecord(system)) throw malformationError(place, 'systemInstruction', 'is not an object with "parts"');
  checkParts(system, place);
}

export function checkContent(content: GeminiContent, index: number): void {
  const place: Place = { format, index };
  if (!isRecord(content)) throw malformationError(place, '', 'it is not an object');
  const { role } = content;
  // `function` is an old name of the role of results.
  if (role !== undefined && role !== 'user' && role !== 'model' && role !== 'function')
    throw malformationError(place, 'role', 'is not user or model');
  checkParts(content, place);
}

function checkParts({ parts }: GeminiContent, place: Place): void {
  if (parts === undefined) return;
  if (!Array.isArray(parts)) throw malformationError(place, 'parts', 'is not an array');
  (parts as readonly unknown[]).forEach((part, at) => {
    const path = `parts[${at}]`;
    if (!isRecord(part)) throw malformationError(place, path, 'is not an object');
    if ('text' in part && typeof part.text !== 'string')
      throw malformationError(place, `${path}.text`, 'is not a string');
    for (const name of ['functionCall', 'functionResponse']) {
      const given = fieldIn(part, name);
      if (given === undefined) continue;
      if (!isRecord(given)) throw malformationError(place, `${path}.${name}`, 'is not an object');
      if (typeof given.name !== 'string') throw malformationError(place, `${path}.${name}.name`, 'is not a string');
    }
  });
}
