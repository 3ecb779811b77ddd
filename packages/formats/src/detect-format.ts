import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, recordsIn } from './record.ts';
import type { SessionLogFormat } from './session-log/session-log.ts';

/** Name of a codec or session log format. */
export type FormatName =
  | SessionLogFormat
  | 'openaiChat'
  | 'anthropic'
  | 'bedrock'
  | 'gemini'
  | 'ollama'
  | 'openaiResponses'
  | 'aiSdk'
  | 'pi'
  | 'shareGpt';

/**
 * Detects the format of a conversation (which may be a whole request body) or of a line of a session log; returns `null` for
 * anything else. Ambiguous conversations, such as messages with only text, count as `openaiChat`.
 *
 * The value is not validated: the codec or reader reports what is wrong with it.
 */
export function detectFormat(value: unknown): FormatName | null {
  if (Array.isArray(value)) return ofMessages(value as readonly unknown[]);
  if (!isRecord(value)) return null;
  if (Array.isArray(value.conversations)) return 'shareGpt';
  if (Array.isArray(value.contents) && value.contents.every(isRecord)) return 'gemini';
  if (isCodex(value)) return 'codex';
  if (isClaudeCode(value)) return 'claudeCode';
  if (Array.isArray(value.messages)) {
    if (value.messages.length === 0) return 'openaiChat';
    const found = ofMessages(value.messages as readonly unknown[]);
    const isPlain = found === 'openaiChat' && !(value.messages as readonly unknown[]).some(isChat);
    return isPlain && isAnthropicBody(value) ? 'anthropic' : found;
  }
  return typeof value.input === 'string' || (Array.isArray(value.input) && value.input.every(isRecord))
    ? 'openaiResponses'
    : null;
}

function ofMessages(messages: readonly unknown[]): FormatName | null {
  if (messages.some(isOllama)) return 'ollama';
  if (messages.some(isChat)) return 'openaiChat';
  let isConversation = messages.length === 0;
  for (const message of messages) {
    if (!isRecord(message)) continue;
    if (typeof message.role !== 'string') {
      // A list of items. A broken message in a list of messages is ignored: the other messages show the format.
      if (typeof message.type === 'string' && /^(?:reasoning|function_call|custom_tool_call)/.test(message.type))
        return 'openaiResponses';
      continue;
    }
    isConversation = true;
    if (isPi(message)) return 'pi';
    for (const part of Array.isArray(message.content) ? (message.content as readonly unknown[]) : []) {
      const found = isRecord(part) ? formatOfPart(part) : null;
      if (found) return found;
    }
  }
  return isConversation ? 'openaiChat' : null;
}

/** True for a message with features of only the chat-completions format. */
function isChat(message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  if (Array.isArray(calls) || typeof id === 'string' || role === 'function' || role === 'developer') return true;
  return role === 'tool' && !Array.isArray(content);
}

/** True for a message with features of only Ollama: pictures beside the text, results with the name of their tool. */
function isOllama(message: unknown): boolean {
  if (!isRecord(message) || Array.isArray(message.content)) return false;
  const { role, images, tool_name: name, tool_calls: calls } = message;
  if (role === 'tool' && typeof name === 'string') return true;
  if (Array.isArray(images) && images.length > 0) return images.every((image) => typeof image === 'string');
  return recordsIn(calls).some((call) => isRecord(call.function) && isRecord(call.function.arguments));
}

/** True for a message with fields of only pi. */
function isPi({ role, stopReason, api, toolCallId }: Fields): boolean {
  if (role === 'toolResult') return typeof toolCallId === 'string';
  return role === 'assistant' && typeof stopReason === 'string' && typeof api === 'string';
}

const partFormats: Readonly<Record<string, FormatName>> = {
  tool_use: 'anthropic',
  tool_result: 'anthropic',
  thinking: 'anthropic',
  redacted_thinking: 'anthropic',
  document: 'anthropic',
  'tool-call': 'aiSdk',
  'tool-result': 'aiSdk',
  'tool-approval-request': 'aiSdk',
  'tool-approval-response': 'aiSdk',
  reasoning: 'aiSdk',
  input_text: 'openaiResponses',
  output_text: 'openaiResponses',
  input_image: 'openaiResponses',
  image_url: 'openaiChat',
};

/** Fields of blocks without a type. */
const bedrockFields: readonly string[] = [
  'text',
  'toolUse',
  'toolResult',
  'reasoningContent',
  'cachePoint',
  'guardContent',
];

function formatOfPart(part: Fields): FormatName | null {
  const { type } = part;
  if (typeof type !== 'string') return bedrockFields.some((name) => name in part) ? 'bedrock' : null;
  if (type === 'image') return 'source' in part ? 'anthropic' : 'image' in part ? 'aiSdk' : null;
  if (type === 'file') return 'mediaType' in part ? 'aiSdk' : null;
  return Object.hasOwn(partFormats, type) ? partFormats[type]! : null;
}

/** True for a body with a top-level system prompt, or tools with Anthropic's field for the schema. */
function isAnthropicBody({ system, tools, anthropic_version: version }: Fields): boolean {
  if (Array.isArray(system) || typeof system === 'string' || typeof version === 'string') return true;
  return Array.isArray(tools) && tools.some((tool) => isRecord(tool) && 'input_schema' in tool);
}

const codexRecords: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'turn_context',
  'event_msg',
  'compacted',
  'world_state',
]);

function isCodex({
  type,
  payload,
  id,
  timestamp,
  session,
  items,
  record_type: record,
  role,
  messages,
}: Fields): boolean {
  if (codexRecords.has(type)) return isRecord(payload);
  if (record === 'state' && type === undefined) return true;
  if (isRecord(session) && Array.isArray(items)) return true;
  const isBare = type === undefined && role === undefined && messages === undefined;
  return isBare && typeof id === 'string' && typeof timestamp === 'string';
}

function isClaudeCode(value: Fields): boolean {
  const { type, message } = value;
  if (typeof type !== 'string' || 'role' in value || 'payload' in value) return false;
  if (type === 'user' || type === 'assistant') return isRecord(message) && 'content' in message;
  if (type === 'file-history-snapshot' || (type === 'summary' && 'leafUuid' in value)) return true;
  return ['sessionId', 'session_id', 'parentUuid'].some((name) => name in value);
}
