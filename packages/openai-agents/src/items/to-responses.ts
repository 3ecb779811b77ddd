import type { AgentInputItem } from '@openai/agents';
import type { Fields } from '@palimpsest/core/authoring';
import type { ResponsesItem } from '@palimpsest/formats';
import { convertOnce } from './origin.ts';

/** Types that the SDK and the Responses API name differently. */
const types: Readonly<Record<string, string>> = {
  function_call_result: 'function_call_output',
  computer_call_result: 'computer_call_output',
};

/** Converts an item of the SDK to an item of the Responses API. The same item gives the same object. */
export function toResponsesItem(item: AgentInputItem): ResponsesItem {
  return convertOnce<Fields>(item as unknown as Fields, (fields) => {
    const { type = 'message', callId, providerData, content, rawContent, output, ...rest } = fields;
    const own = { ...rest, type: types[String(type)] ?? type, ...(callId === undefined ? {} : { call_id: callId }) };
    switch (type) {
      case 'message':
        return { ...own, content: contentOf(content) };
      case 'reasoning':
        return { ...own, summary: content, content: rawContent };
      case 'hosted_tool_call':
        return { ...own, output, ...(providerData as Fields), type: readHostedType(fields) };
      default:
        return output === undefined ? own : { ...own, output: outputOf(output) };
    }
  });
}

/** Approvals pair like calls and results. Every other hosted call is part of the model's turn. */
function readHostedType({ name, providerData }: Fields): unknown {
  if (name === 'mcp_approval_request' || name === 'mcp_approval_response') return name;
  return (providerData as Fields | undefined)?.type ?? 'mcp_call';
}

function contentOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map((part: Fields) => convertOnce(part, partOf)) : content;
}

function partOf(part: Fields): Fields {
  const { type, image, file, ...rest } = part;
  if (typeof type !== 'string') return part;
  if (image !== undefined) return { ...rest, type: 'input_image', ...fileFields(image, 'image_url', 'file_id') };
  if (file !== undefined) return { ...rest, type: 'input_file', ...fileFields(file, 'file_data', 'file_id') };
  return type === 'text' ? { ...rest, type: 'input_text' } : part;
}

/** Data, or the id of an uploaded file. */
function fileFields(value: unknown, data: string, id: string): Fields {
  if (typeof value === 'string') return { [data]: value };
  const { id: file, fileId, url } = value as Fields;
  return url === undefined ? { [id]: file ?? fileId } : { [data === 'file_data' ? 'file_url' : data]: url };
}

/** The output of a tool: text, one part, several parts, a screenshot, or what shell commands printed. */
function outputOf(output: unknown): unknown {
  if (typeof output === 'string') return output;
  if (Array.isArray(output))
    return output.map((part: Fields) => ('stdout' in part ? toOutputChunk(part) : convertOnce(part, partOf)));
  const { type, text, data } = output as Fields;
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'computer_screenshot') return { type, image_url: data };
  return [convertOnce(output as Fields, partOf)];
}

function toOutputChunk({ outcome, ...chunk }: Fields): Fields {
  const { exitCode, ...ended } = (outcome ?? {}) as Fields;
  return { ...chunk, outcome: { ...ended, exit_code: exitCode } };
}
