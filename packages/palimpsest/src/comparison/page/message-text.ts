import { agentReader } from '@palimpsest/agents';
import { count } from '@palimpsest/command-line/count';
import {
  type Content,
  isImagePart,
  isTextPart,
  type Message,
  type Part,
  readAnyHandoff,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';

/** Maximum length of a text in characters. A longer one is cut in the middle, so that the page opens quickly. */
const maxTextLength = 20_000;
const [headLength, tailLength] = [14_000, 6_000];

/**
 * A message as readable text: reasoning, content and calls. Images and other data become one line each.
 * @param mask applied to the whole text, before its middle is cut out. @default none
 */
export function messageText(message: Message, mask: (text: string) => string = (text) => text): string {
  const text = mask(wholeText(message, mask));
  // A handoff is shown in full: readers look for it, and engines keep it short.
  if (text.length <= maxTextLength || readAnyHandoff(message, agentReader) !== null) return text;
  return `${text.slice(0, headLength)}\n\n[… ${count(text.length - headLength - tailLength)} characters are not shown …]\n\n${text.slice(-tailLength)}`;
}

/** A message as readable text, however long. */
export function wholeText(message: Message, mask: (text: string) => string = (text) => text): string {
  const blocks: string[] = [];
  if (message.tool_call_id)
    blocks.push(`[result of ${message.name ? `${message.name}, ` : ''}${message.tool_call_id}]`);
  if (message.reasoning_content) blocks.push(`[reasoning]\n${message.reasoning_content}`);
  blocks.push(contentAsText(message.content));
  for (const call of toolCalls(message)) blocks.push(`[calls ${toolCallName(call)}]\n${mask(toolCallInput(call))}`);
  if (message.function_call)
    blocks.push(`[calls ${message.function_call.name}]\n${mask(message.function_call.arguments)}`);
  return blocks.filter((block) => block !== '').join('\n\n');
}

function contentAsText(content: Content): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? (content as readonly Part[]).map(partAsText).join('\n') : '';
}

function partAsText(part: Part): string {
  if (isTextPart(part)) return part.text;
  const size = `${count(JSON.stringify(part).length)} characters`;
  return isImagePart(part) ? `[image, ${size}]` : `[${part.type}, ${size}]`;
}
