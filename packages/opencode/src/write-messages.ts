import {
  contentText,
  isImagePart,
  type Message,
  type Part,
  type Provenance,
  toolCallInput,
  toolCalls,
} from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/authoring';
import type { OpencodeInfo, OpencodeMessage, OpencodePart } from './opencode-api.ts';
import type { Reading } from './read-messages.ts';

/** The messages of a request that a session has prepared, and where each comes from. */
export interface Prepared {
  readonly messages: readonly Message[];
  readonly provenance: Provenance;
}

/**
 * Writes the messages to send. Unedited messages are the same objects. A new message gets the fields of the user's last
 * one, and is never stored.
 */
export function writeMessages(readings: readonly Reading[], { messages, provenance }: Prepared): OpencodeMessage[] {
  const written: OpencodeMessage[] = [];
  const user = readings.findLast(({ native }) => native.info.role === 'user')?.native.info;
  let last: OpencodeMessage | null = null;
  messages.forEach((message, at) => {
    const origin = provenance.output[at]!;
    if (origin.kind === 'inserted') {
      last = null;
      const made = user && newMessage(message, user, at);
      if (made) written.push(made);
      return;
    }
    const reading = readings[origin.from]!;
    if (reading.native !== last) written.push(reading.native);
    last = reading.native;
    if (message !== reading.message) written.push(editMessage(written.pop()!, reading, message));
  });
  return written;
}

function editMessage(
  written: OpencodeMessage,
  { message: before, tool, native }: Reading,
  after: Message,
): OpencodeMessage {
  if (tool)
    return {
      ...written,
      parts: written.parts.map((part) => (isSameCall(part, tool) ? withResult(part, after) : part)),
    };
  const inputs = new Map(toolCalls(after).map((call) => [call.id, toolCallInput(call)]));
  const changed = new Set(
    toolCalls(before).flatMap((call) => (inputs.get(call.id) === toolCallInput(call) ? [] : call.id)),
  );
  const isSaidAgain = before.content === after.content;
  const dropsThoughts = Boolean(before.reasoning_content) && !after.reasoning_content;
  const firstText = native.parts.find(({ type }) => type === 'text');
  const text = contentText(after.content);
  const keepsFiles = Array.isArray(after.content) && (after.content as readonly Part[]).some(isFile);
  const parts = written.parts.flatMap((part): OpencodePart[] => {
    const { type, callID, state } = part as OpencodePart & Fields;
    if (type === 'reasoning') return dropsThoughts ? [] : [part];
    if (type === 'tool' && changed.has(String(callID)))
      return [
        { ...part, state: { ...(state as Fields), input: inputObject(inputs.get(String(callID))!) } } as OpencodePart,
      ];
    if (isSaidAgain) return [part];
    if (type === 'text')
      return part === firstText && text !== '' ? [{ ...part, text, ignored: false } as OpencodePart] : [];
    return type === 'file' && !keepsFiles ? [] : [part];
  });
  return { ...written, parts };
}

function isFile(part: Part): boolean {
  return isImagePart(part) || part.type === 'file';
}

function isSameCall(part: OpencodePart, tool: OpencodePart): boolean {
  return part.type === 'tool' && (part as OpencodePart & Fields).callID === (tool as OpencodePart & Fields).callID;
}

function withResult(part: OpencodePart, { content }: Message): OpencodePart {
  const { state } = part as OpencodePart & { readonly state: Fields };
  const text = contentText(content);
  if (state.status !== 'completed') return { ...part, state: { ...state, error: text, metadata: {} } } as OpencodePart;
  const keepsFiles = Array.isArray(content) && (content as readonly Part[]).some(isFile);
  const { attachments: _, ...bare } = state;
  return { ...part, state: { ...(keepsFiles ? state : bare), output: text } } as OpencodePart;
}

function inputObject(written: string): unknown {
  try {
    const input: unknown = JSON.parse(written);
    if (typeof input === 'object' && input !== null) return input;
  } catch {
    // The text is kept.
  }
  return { input: written };
}

function newMessage({ role, content }: Message, user: OpencodeInfo, at: number): OpencodeMessage | null {
  const text = contentText(content);
  if (text.trim() === '' || role === 'tool') return null;
  const id = `msg_palimpsest_${at}`;
  const info = role === 'assistant' ? { ...user, id, role, modelID: '', providerID: '' } : { ...user, id };
  const part = { id: `prt_palimpsest_${at}`, sessionID: user.sessionID, messageID: id, type: 'text', text };
  return { info, parts: [part, ...filesIn(content)] };
}

/** Files that a new message carries, such as a picture in the user's task. */
function filesIn(content: Message['content']): OpencodePart[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly (Part & Fields)[]).flatMap((part): OpencodePart[] => {
    const url = (part.image_url as Fields | undefined)?.url ?? (part.file as Fields | undefined)?.file_data;
    if (typeof url !== 'string') return [];
    const mime = /^data:([^;,]{1,100})/.exec(url)?.[1] ?? (part.type === 'image_url' ? 'image/png' : 'application/pdf');
    return [{ type: 'file', mime, url } as OpencodePart];
  });
}
