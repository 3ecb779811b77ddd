import type { AgentInputItem } from '@openai/agents';
import type { Fields } from '@palimpsest/core/authoring';
import type { ResponsesItem } from '@palimpsest/formats';
import { originOf } from './origin.ts';

/** Converts an item back. An item without changes is the SDK's own object, so its bytes stay the same. */
export function toAgentItem(item: ResponsesItem): AgentInputItem {
  const from = originOf(item);
  if (from && !from.isEdited) return from.item as AgentInputItem;
  return (from ? editItem(item as Fields, from.item) : toMessage(item as Fields)) as AgentInputItem;
}

/** Fields that an edit changes: what was said, the input of a call, and the output of a tool. */
const inputs = ['arguments', 'action', 'actions', 'operation'] as const;

function editItem(item: Fields, from: Fields): Fields {
  const { id, ...rest } = from;
  // An edit that removes a thought removes the id of what followed it.
  const copy: Record<string, unknown> = 'id' in item && id !== undefined ? { id, ...rest } : rest;
  for (const name of inputs) if (name in from) copy[name] = item[name];
  if ('content' in from && item.type === 'message') copy.content = contentOf(item.content, String(from.role));
  if ('output' in from) copy.output = outputOf(item.output, from.output);
  return copy;
}

/** A message that the session inserted. */
function toMessage({ role, content }: Fields): Fields {
  return { type: 'message', role, content: contentOf(content, String(role)) };
}

function contentOf(content: unknown, role: string): unknown {
  if (Array.isArray(content)) return content.map(partOf);
  return role === 'assistant' ? [{ type: 'output_text', text: content }] : content;
}

function partOf(part: Fields): Fields {
  const from = originOf(part);
  if (from && !from.isEdited) return from.item;
  const { type, image_url: image, ...rest } = part;
  return type === 'input_image' ? { ...rest, type, image } : part;
}

function outputOf(output: unknown, before: unknown): unknown {
  if (typeof output === 'string')
    return typeof before === 'object' && !Array.isArray(before) ? { type: 'text', text: output } : output;
  if (!Array.isArray(output)) return before;
  return output.map((part: Fields) => ('stdout' in part ? toOutputChunk(part) : partOf(part)));
}

function toOutputChunk({ outcome, ...chunk }: Fields): Fields {
  const { exit_code: exitCode, ...ended } = (outcome ?? {}) as Fields;
  return { ...chunk, outcome: exitCode === undefined ? ended : { ...ended, exitCode } };
}
