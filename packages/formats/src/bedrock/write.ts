import {
  type Content,
  isTextPart,
  isToolResult,
  type Message,
  type Part,
  toolCallInput,
  toolCallName,
} from '@palimpsest/core';
import { checksum } from '@palimpsest/core/authoring';
import { PartPool } from '../content.ts';
import { pictureOf } from '../picture.ts';
import { fieldsIn, fieldsOf } from '../record.ts';
import { callsOf, inputObject } from '../write-message.ts';
import { documentFormat, imageFormats } from './block.ts';
import { documentName } from './documents.ts';

/** Writes a core message that has no native counterpart. Thoughts are omitted: only signed ones are accepted. */
export function writeBlocks(message: Message, pool: PartPool): readonly Part[] {
  const content = contentBlocks(message.content, pool);
  if (isToolResult(message)) {
    const toolUseId = legalId(message.tool_call_id ?? message.name ?? '');
    return [native({ toolResult: { toolUseId, content } })];
  }
  const calls = callsOf(message).map((call) => {
    const input = inputObject(toolCallInput(call));
    return native({ toolUse: { toolUseId: legalId(call.id), name: toolCallName(call), input } });
  });
  return [...content, ...calls];
}

/** Bedrock allows 64 letters, digits, `_` and `-`. Another id gets a checksum, so that two ids stay different. */
function legalId(id: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(id)) return id;
  return `${id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${checksum(id)}`;
}

/** Converts content to blocks. Blank texts are left out: Bedrock rejects them. */
export function contentBlocks(content: Content, pool: PartPool = new PartPool([])): Part[] {
  const parts = typeof content === 'string' ? [native({ type: 'text', text: content })] : (content ?? []);
  return pool.restore(parts, toBlock).filter((block) => {
    const { text } = fieldsOf(block);
    return typeof text !== 'string' || text.trim() !== '';
  });
}

function toBlock(part: Part): Part {
  if (isTextPart(part)) return native({ text: part.text });
  const picture = pictureOf(part);
  if (picture && 'data' in picture) {
    const format = picture.mediaType.replace(/^image\//, '').replace('jpg', 'jpeg');
    if (imageFormats.includes(format)) return native({ image: { format, source: { bytes: picture.data } } });
  }
  const { file_data: data, filename = 'document' } = fieldsIn(fieldsOf(part).file);
  const [, mediaType = '', bytes] =
    typeof data === 'string' ? (/^data:([^;,]{1,100});base64,(.*)$/s.exec(data) ?? []) : [];
  const format = documentFormat(mediaType);
  if (format !== undefined)
    return native({ document: { format, name: documentName(String(filename)), source: { bytes } } });
  // Already a block of this API, possibly of a newer version. Its kind is the name of its field.
  const { type, ...own } = fieldsOf(part);
  return native(!picture && Object.hasOwn(own, String(type)) ? own : { text: `[${part.type}: cannot be shown here]` });
}

function native(block: object): Part {
  return block as Part;
}
