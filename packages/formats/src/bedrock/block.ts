import type { Part } from '@palimpsest/core';
import { isRecord, jsonText } from '@palimpsest/core/authoring';
import type { BlockKind } from '../grammar.ts';
import { standsFor } from '../marks.ts';
import { type Fields, fieldsIn, fieldsOf } from '../record.ts';
import { textIn } from '../wire/answers.ts';
import type { BedrockBlock, BedrockMessage } from './conversation.ts';

const kinds: Readonly<Record<string, BlockKind>> = {
  toolUse: 'call',
  toolResult: 'result',
  reasoningContent: 'thought',
  cachePoint: 'aside',
};

/** The name of a block's field. */
function fieldOf(block: BedrockBlock): string {
  return Object.keys(block).find((name) => fieldsOf(block)[name] !== undefined) ?? '';
}

/** Returns the kind of a block. Unknown fields count as content. */
export function kindOf(block: BedrockBlock): BlockKind {
  const field = fieldOf(block);
  return Object.hasOwn(kinds, field) ? kinds[field]! : 'said';
}

/** The call of a block; `null` for another block. */
export function callIn(block: BedrockBlock): Fields | null {
  const { toolUse } = fieldsOf(block);
  return isRecord(toolUse) ? toolUse : null;
}

/** The result of a block; `null` for another block. */
export function resultIn(block: BedrockBlock): Fields | null {
  const { toolResult } = fieldsOf(block);
  return isRecord(toolResult) ? toolResult : null;
}

/** The calls in blocks. */
export function callsIn(blocks: readonly BedrockBlock[]): readonly Fields[] {
  return blocks.map(callIn).filter((call) => call !== null);
}

/** The results in blocks. */
export function resultsIn(blocks: readonly BedrockBlock[]): readonly Fields[] {
  return blocks.map(resultIn).filter((result) => result !== null);
}

/** The words of a thought; `undefined` for another block, and for a thought that is encrypted. */
export function thoughtIn(block: BedrockBlock): string | undefined {
  const { text } = fieldsIn(fieldsIn(fieldsOf(block).reasoningContent).reasoningText);
  return typeof text === 'string' ? text : undefined;
}

/** The text of a block, also where it has citations or is marked for a guardrail; `null` for a block without text. */
export function wordsIn(block: BedrockBlock): string | null {
  const { text, citationsContent: cited, guardContent: guarded } = fieldsOf(block);
  if (isRecord(cited)) return textIn(cited.content);
  const words = isRecord(guarded) ? fieldsIn(guarded.text).text : text;
  return typeof words === 'string' ? words : null;
}

export function blocksOf({ content }: Partial<BedrockMessage>): readonly Part[] {
  return (content ?? []) as readonly Part[];
}

/** Media types by the formats of documents. */
const documentTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  md: 'text/markdown',
  pdf: 'application/pdf',
  txt: 'text/plain',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The format of a document with a media type; `undefined` for one that Bedrock does not read. */
export function documentFormat(mediaType: string): string | undefined {
  return Object.keys(documentTypes).find((format) => documentTypes[format] === mediaType);
}

/** The formats of images that Bedrock reads. */
export const imageFormats: readonly string[] = ['png', 'jpeg', 'gif', 'webp'];

/** Converts a block for core. Pictures and files get the formats of other APIs, so that engines and counters recognize them. */
export function viewBlock(block: Part): Part {
  return standsFor(viewOf(fieldsOf(block), wordsIn(block)), block);
}

function viewOf(block: Fields, words: string | null): Part {
  if (words !== null) return { type: 'text', text: words } as Part;
  const { json, image, document } = block;
  if (json !== undefined) return { type: 'text', text: jsonText(json) } as Part;
  const { format, name, source } = fieldsIn(image ?? document);
  const { bytes, s3Location: place, text, content } = fieldsIn(source);
  if (isRecord(image))
    return {
      type: 'image',
      image: bytes ?? fieldsIn(place).uri,
      mediaType: `image/${String(format)}`,
    } as unknown as Part;
  if (!isRecord(document)) return { type: fieldOf(block), ...block } as Part;
  if (typeof text === 'string' || Array.isArray(content))
    return { type: 'text', text: textIn(text ?? content) } as Part;
  const mediaType = documentTypes[String(format)] ?? 'application/octet-stream';
  const file =
    typeof bytes === 'string' ? { file_data: `data:${mediaType};base64,${bytes}` } : { file_id: fieldsIn(place).uri };
  return { type: 'file', file: { filename: name, ...file } } as unknown as Part;
}
