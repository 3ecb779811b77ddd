import {
  type Content,
  isTextPart,
  isToolResult,
  type Message,
  type Part,
  toolCallInput,
  toolCallName,
} from '@palimpsest/core';
import { PartPool } from '../content.ts';
import { pictureOf } from '../picture.ts';
import { fieldsIn, fieldsOf } from '../record.ts';
import { callsOf, inputObject } from '../write-message.ts';
import { documentFormat } from './block.ts';

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

/** Replaces characters that Bedrock does not allow in ids: all except letters, digits, `_` and `-`. */
function legalId(id: string): string {
  const legal = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return legal === '' ? '_' : legal;
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
    return native({ image: { format, source: { bytes: picture.data } } });
  }
  const { file_data: data, filename = 'document' } = fieldsIn(fieldsOf(part).file);
  const [, mediaType = '', bytes] =
    typeof data === 'string' ? (/^data:([^;,]{1,100});base64,(.*)$/s.exec(data) ?? []) : [];
  const format = documentFormat(mediaType);
  // The only characters that are allowed in a name.
  const name = String(filename).replace(/[^a-zA-Z0-9 ()[\]-]+/g, '-');
  if (format !== undefined) return native({ document: { format, name, source: { bytes } } });
  // Already a block of this API, possibly of a newer version. Its kind is the name of its field.
  const { type, ...own } = fieldsOf(part);
  return native(Object.hasOwn(own, String(type)) ? own : { text: `[${part.type}: cannot be shown here]` });
}

function native(block: object): Part {
  return block as Part;
}
