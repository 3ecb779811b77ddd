import type { Message } from 'ollama';
import { description, fileText, type LoopOptions, parameters, system } from './agent-loops.ts';

/** An agent on Ollama's own API. The loopback server gives calls of this model no ids. */
export async function ollamaLoop({
  ollama,
  history,
  task,
  rounds = 1_000,
  maxTokens = 1_000,
  isStreamed = true,
  window,
}: LoopOptions): Promise<void> {
  const messages = history as Message[];
  if (messages.length === 0) messages.push({ role: 'system', content: system }, { role: 'user', content: task });
  const tools = [{ type: 'function', function: { name: 'read_file', description, parameters } }];
  for (let round = 0; round < rounds; round++) {
    const body = {
      model: 'llama3.2',
      messages,
      tools,
      options: { num_predict: maxTokens, ...(window && { num_ctx: window }) },
    };
    let message: Message = { role: 'assistant', content: '' };
    if (isStreamed)
      for await (const { message: part } of await ollama!.chat({ ...body, stream: true })) {
        const calls = [...(message.tool_calls ?? []), ...(part.tool_calls ?? [])];
        message = {
          ...message,
          content: message.content + part.content,
          ...(calls.length > 0 && { tool_calls: calls }),
        };
      }
    else message = (await ollama!.chat({ ...body, stream: false })).message;
    messages.push(message);
    if (!message.tool_calls?.length) return;
    for (const { function: called } of message.tool_calls)
      messages.push({ role: 'tool', tool_name: called.name, content: fileText(called.arguments) });
  }
}
