import {
  type Content,
  isTextPart,
  type Message,
  type Part,
  type ToolCall,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { parseRecord } from '@palimpsest/core/authoring';
import type { Decoded } from './codec.ts';
import type { PartPool } from './content.ts';

/** Returns the calls of a message. A legacy call has no id, so its name pairs it with its result. */
export function callsOf(message: Message): readonly ToolCall[] {
  const { role, function_call: legacy } = message;
  if (!legacy || role !== 'assistant') return toolCalls(message);
  const { name, arguments: written } = legacy;
  return [...toolCalls(message), { id: name, type: 'function', function: { name, arguments: written } }];
}

/** Returns the names of tools by the ids of their calls. */
export function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  return new Map(messages.flatMap((message) => toolCalls(message).map((call) => [call.id, toolCallName(call)])));
}

/** Creates a text part. */
export function textPart(text: string): Part {
  return { type: 'text', text } as Part;
}

/** Converts content to parts. Blank texts are left out, because providers reject them. */
export function partsToWrite(content: Content, pool: PartPool, toPart: (part: Part) => Part): Part[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [textPart(content)];
  if (!content) return [];
  return pool.restore(content, toPart).filter((part) => !(isTextPart(part) && part.text.trim() === ''));
}

interface WithBlocks {
  readonly messages: readonly { readonly content: string | readonly Part[] }[];
}

/** Returns the native blocks of a decoded message; none if its content is a string. */
export function nativeBlocks({ native, origins }: Decoded<WithBlocks>, unit: number): readonly Part[] {
  return origins[unit]!.pieces.flatMap(({ index, blocks }) => {
    const content = native.messages[index]?.content;
    return typeof content === 'string' || !content ? [] : (blocks ?? []).map((at) => content[at]!);
  });
}

/**
 * Parses the input of a call for dialects that require an object. Other input is wrapped as `{ input }`: some models write
 * invalid JSON, and its text is kept.
 */
export function inputObject(written: string): unknown {
  return parseRecord(written) ?? (written.trim() === '' ? {} : { input: written });
}
