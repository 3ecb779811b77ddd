import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { Content, Message, Part, ToolCall } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/authoring';

const converted = new WeakMap<BaseMessage, Message>();

/** Converts a message of LangChain, once. */
export function toCoreMessage(message: BaseMessage): Message {
  const known = converted.get(message);
  if (known) return known;
  const made = convert(message);
  converted.set(message, made);
  return made;
}

function convert(message: BaseMessage): Message {
  if (ToolMessage.isInstance(message))
    return { role: 'tool', tool_call_id: message.tool_call_id, content: contentOf(message) };
  if (AIMessage.isInstance(message)) return assistantMessage(message);
  const type = message.getType();
  if (type === 'system' || type === 'developer') return { role: 'system', content: contentOf(message) };
  if (type === 'function') return { role: 'function', content: contentOf(message), ...nameOf(message) };
  return {
    role: (message as { readonly role?: unknown }).role === 'assistant' ? 'assistant' : 'user',
    content: contentOf(message),
  };
}

function nameOf({ name }: BaseMessage): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

function assistantMessage(message: AIMessage): Message {
  const calls = (message.tool_calls ?? []).map(
    ({ id, name, args }): ToolCall => ({
      id: id ?? name,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }),
  );
  const said = contentOf(message);
  const reasoning = reasoningOf(message);
  return {
    role: 'assistant',
    content: calls.length > 0 && (said === '' || (Array.isArray(said) && said.length === 0)) ? null : said,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
  };
}

/** Blocks of an answer that are in `tool_calls`, or that are reasoning. */
const calling: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_call',
  'function_call',
  'functionCall',
  'input_json_delta',
]);
const thinking: ReadonlySet<unknown> = new Set(['reasoning', 'thinking', 'redacted_thinking', 'reasoning_content']);

/** The content without calls and reasoning. A single text without other fields becomes a string. */
function contentOf({ content }: Pick<BaseMessage, 'content'>): Content {
  if (typeof content === 'string') return content;
  const parts = (content as readonly Part[]).filter(({ type }) => !calling.has(type) && !thinking.has(type));
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && Object.keys(only).every((key) => key === 'type' || key === 'text'))
    return (only as Part & { readonly text: string }).text;
  return parts;
}

/** What the model thought, from the places where providers put it. */
function reasoningOf({ content, additional_kwargs: more }: AIMessage): string {
  const blocks = typeof content === 'string' ? [] : (content as readonly Fields[]);
  const inBlocks = blocks.filter(({ type }) => thinking.has(type)).map((block) => block.thinking ?? block.reasoning);
  const summary = (more.reasoning as Fields | undefined)?.summary;
  const inSummary = Array.isArray(summary) ? summary.map((part: Fields) => part.text) : [];
  return [...inBlocks, ...inSummary, more.reasoning_content].filter((text) => typeof text === 'string').join('\n\n');
}
