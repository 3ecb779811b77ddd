import {
  contentText,
  isToolResult,
  type Message,
  readHandoff,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { quoteText, writeHandoff } from '@palimpsest/core/authoring';

/**
 * A compacted conversation as one text, for clients and servers that keep only text: the handoff, the other messages as a
 * quote, and the words of the user behind the handoff. Without a handoff, all messages in an unsigned one.
 */
export function readableText(messages: readonly Message[], redact: (text: string) => string): string {
  const at = messages.findLastIndex((message) => readHandoff(message) !== null);
  const others = redact(asText(messages.filter((_, index) => index !== at)));
  if (at < 0) return writeHandoff(others);
  const text = contentText(messages[at]!.content);
  const { rest } = readHandoff(messages[at]!)!;
  const own = contentText(rest);
  const handoff = text.slice(0, text.length - own.length).trimEnd();
  const quote = others === '' ? '' : quoteText(`Messages kept word for word:\n\n${others}`, 'harness-message');
  return [redact(handoff), quote, redact(own)].filter((part) => part !== '').join('\n\n');
}

/** Each message with its role. Results are quoted: what a tool returns must not look like another message. */
function asText(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .map((message) => {
      const calls = toolCalls(message).map((call) => `${toolCallName(call)}(${toolCallInput(call)})`);
      const words = contentText(message.content);
      const said = isToolResult(message) ? quoteText(words, 'tool-material') : words;
      return `${message.role}: ${[said, ...calls].filter((text) => text !== '').join('\n')}`;
    })
    .join('\n\n');
}
