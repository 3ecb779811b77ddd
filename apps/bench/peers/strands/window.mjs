import {
  Message,
  SlidingWindowConversationManager,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '@strands-agents/sdk';
import { argumentsOf, largestFitting, textOf, toolNameOf } from '../serve.mjs';

/** Returns the indices of the messages in the largest window of Strands that fits. Its window is a number of messages. */
export async function windowOf(messages, budgetTokens, tokens) {
  const turns = turnsOf(messages);
  const reduced = (windowSize) => {
    const agent = { messages: turns.map(({ message }) => message) };
    if (windowSize < turns.length) new SlidingWindowConversationManager({ windowSize }).reduce({ agent });
    const left = new Set(agent.messages);
    return turns.filter(({ message }) => left.has(message)).flatMap(({ indices }) => indices);
  };
  const sizeOf = (indices) => indices.reduce((total, index) => total + tokens[index], 0);
  const windowSize = await largestFitting(turns.length, (size) => sizeOf(reduced(size)) <= budgetTokens);
  return reduced(Math.max(1, windowSize));
}

/** Groups the results of one turn, which Strands keeps in one user message. */
function turnsOf(messages) {
  const turns = [];
  for (const [index, message] of messages.entries()) {
    const before = turns.at(-1);
    if (message.role === 'tool' && before && messages[before.indices[0]].role === 'tool') before.indices.push(index);
    else turns.push({ indices: [index] });
  }
  return turns.map(({ indices }) => ({ indices, message: toStrands(indices.map((index) => messages[index])) }));
}

function toStrands(messages) {
  const [{ role }] = messages;
  const content = messages.flatMap((message) => {
    const text = textOf(message.content);
    if (role === 'tool')
      return new ToolResultBlock({
        toolUseId: message.tool_call_id,
        status: message.is_error ? 'error' : 'success',
        content: [new TextBlock(text)],
      });
    const calls = (message.tool_calls ?? []).map(
      (call) => new ToolUseBlock({ name: toolNameOf(call), toolUseId: call.id, input: argumentsOf(call) }),
    );
    return text === '' ? calls : [new TextBlock(text), ...calls];
  });
  return new Message({ role: role === 'assistant' ? 'assistant' : 'user', content });
}
