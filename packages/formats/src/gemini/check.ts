import { isRecord } from '@palimpsest/core/authoring';
import { checkList, checkRecord, checkTexts, malformationError, type Place } from '../native-error.ts';
import type { GeminiContent } from './conversation.ts';
import { fieldIn } from './part.ts';

const format = 'gemini';

/** Throws if a value is not a conversation of the Gemini API. Contents are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  checkList(native, place, 'contents');
  const system = fieldIn(native, 'systemInstruction');
  if (system === undefined || system === null) return;
  if (!isRecord(system)) throw malformationError(place, 'systemInstruction', 'is not an object with "parts"');
  checkParts(system, place);
}

export function checkContent(content: GeminiContent, index: number): void {
  const place: Place = { format, index };
  checkRecord(content, place);
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
    checkRecord(part, place, path);
    if ('text' in part) checkTexts(part, ['text'], place, `${path}.`);
    for (const name of ['functionCall', 'functionResponse']) {
      const given = fieldIn(part, name);
      if (given === undefined) continue;
      checkRecord(given, place, `${path}.${name}`);
      checkTexts(given, ['name'], place, `${path}.${name}.`);
    }
  });
}
