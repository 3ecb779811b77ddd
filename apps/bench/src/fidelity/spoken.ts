import { contentText, type Message, toolCallInput, toolCalls } from '@palimpsest/core';

/** Everything a model reads of a message, as separate texts: content, reasoning, and each text inside tool-call arguments. */
export function textsOf(message: Message): string[] {
  const texts = [decoded(contentText(message.content))];
  if (message.reasoning_content) texts.push(message.reasoning_content);
  for (const call of toolCalls(message))
    texts.push(call.type === 'custom' ? toolCallInput(call) : decoded(toolCallInput(call)));
  return texts.filter((text) => text !== '');
}

/** What the agent itself said and did in these messages; what came back from tools and users is not its doing. */
export function agentTexts(messages: readonly Message[]): string[] {
  return messages.filter((message) => message.role === 'assistant').flatMap(textsOf);
}

/** The texts inside JSON, one a line, so that an escaped quotation equals a plain one; any other text as it is. */
function decoded(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const leaves: string[] = [];
    JSON.parse(text, (_key, leaf: unknown) => {
      if (typeof leaf === 'string' || typeof leaf === 'number') leaves.push(String(leaf));
      return leaf;
    });
    return leaves.join('\n');
  } catch {
    return text;
  }
}
