import type { Part } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { BlockKind } from '../grammar.ts';
import { standsFor } from '../marks.ts';
import { type Fields, fieldsIn, fieldsOf } from '../record.ts';
import type { GeminiContent, GeminiPart } from './conversation.ts';

/** The name that a field has in an object: the API reads `functionCall` and `function_call`. */
export function nameIn(fields: Fields, name: string): string {
  if (name in fields) return name;
  const other = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return other in fields ? other : name;
}

/** A field under either of its names. */
export function fieldIn(fields: Fields, name: string): unknown {
  return fields[nameIn(fields, name)];
}

/** The call of a part; `null` for another part. */
export function callIn(part: GeminiPart): Fields | null {
  const call = fieldIn(fieldsOf(part), 'functionCall');
  return isRecord(call) ? call : null;
}

/** The result of a part; `null` for another part. */
export function responseIn(part: GeminiPart): Fields | null {
  const response = fieldIn(fieldsOf(part), 'functionResponse');
  return isRecord(response) ? response : null;
}

/** The calls in parts. */
export function callsIn(parts: readonly GeminiPart[]): readonly Fields[] {
  return parts.map(callIn).filter((call) => call !== null);
}

/** The results in parts. */
export function responsesIn(parts: readonly GeminiPart[]): readonly Fields[] {
  return parts.map(responseIn).filter((response) => response !== null);
}

export function isSigned(part: GeminiPart): boolean {
  return typeof fieldIn(fieldsOf(part), 'thoughtSignature') === 'string';
}

/** True for a part with results of calls. */
export function hasResponses(parts: readonly GeminiPart[]): boolean {
  return parts.some((part) => responseIn(part) !== null);
}

export function partsOf({ parts }: GeminiContent): readonly GeminiPart[] {
  return parts ?? [];
}

/** Between the texts of several messages: the parts of an answer are read as one text. */
export const gap: GeminiPart = { text: '\n\n' };

/** True for a text that is not a thought. */
export function isWords(part: GeminiPart): boolean {
  return kindOf(part) === 'said' && typeof fieldsOf(part).text === 'string';
}

/** Returns the kind of a part. An empty part may carry the signature of the answer before it. Unknown parts count as content. */
export function kindOf(part: GeminiPart): BlockKind {
  if (callIn(part)) return 'call';
  if (responseIn(part)) return 'result';
  const { thought, text } = fieldsOf(part);
  if (thought === true) return 'thought';
  return text === '' || (text === undefined && isOnlySignature(part)) ? 'aside' : 'said';
}

function isOnlySignature(part: GeminiPart): boolean {
  return isSigned(part) && Object.keys(part).length === 1;
}

/** Converts a part for core. Pictures and files get the formats of other APIs, so that engines and counters recognize them. */
export function viewPart(part: Part): Part {
  return standsFor(viewOf(fieldsOf(part)), part);
}

function viewOf(part: Fields): Part {
  if (typeof part.text === 'string') return { type: 'text', text: part.text } as Part;
  const inline = fieldIn(part, 'inlineData');
  const file = fieldIn(part, 'fileData');
  const media = fieldsIn(inline ?? file);
  const mediaType = String(fieldIn(media, 'mimeType') ?? '');
  const isPicture = mediaType.startsWith('image/');
  if (isRecord(inline)) {
    const { data } = media;
    return (isPicture
      ? { type: 'image', image: data, mediaType }
      : { type: 'file', file: { file_data: `data:${mediaType};base64,${String(data)}` } }) as unknown as Part;
  }
  if (isRecord(file)) {
    const uri = fieldIn(media, 'fileUri');
    return (isPicture
      ? { type: 'image', image: uri, mediaType }
      : { type: 'file', file: { file_id: uri } }) as unknown as Part;
  }
  return { type: Object.keys(part)[0] ?? 'part', ...part } as Part;
}
