import { pruneMessages } from 'ai';
import { argumentsOf, largestFitting, serve, textOf, tokensLeft, toolNameOf } from '../serve.mjs';

// pruneMessages takes no budget, so it gets the largest number of recent messages with untouched tool calls that fits.
serve(async (messages, budgetTokens, tokens) => {
  const model = messages.map(toModelMessage);
  const prune = (recent) =>
    pruneMessages({
      messages: model,
      reasoning: 'before-last-message',
      toolCalls: recent === 0 ? 'all' : `before-last-${recent}-messages`,
      emptyMessages: 'remove',
    });
  const sizeOf = (pruned) => {
    let total = 0;
    for (const message of pruned) {
      const { index } = message.providerOptions.bench;
      const left = fromModelMessage(message, messages);
      total += left === index ? tokens[index] : tokensLeft(messages[index], left, tokens[index]);
    }
    return total;
  };
  const recent = await largestFitting(messages.length, (count) => sizeOf(prune(count)) <= budgetTokens);
  return prune(recent).map((message) => fromModelMessage(message, messages));
});

function toModelMessage(message, index) {
  const providerOptions = { bench: { index } };
  if (message.role === 'tool') {
    const output = { type: 'text', value: textOf(message.content) };
    const result = { type: 'tool-result', toolCallId: message.tool_call_id, toolName: toolNameOf(message), output };
    return { role: 'tool', content: [result], providerOptions };
  }
  if (message.role !== 'assistant') return { role: 'user', content: textOf(message.content), providerOptions };
  const content = [];
  if (message.reasoning_content) content.push({ type: 'reasoning', text: message.reasoning_content });
  const text = textOf(message.content);
  if (text !== '') content.push({ type: 'text', text });
  for (const call of message.tool_calls ?? [])
    content.push({ type: 'tool-call', toolCallId: call.id, toolName: toolNameOf(call), input: argumentsOf(call) });
  return { role: 'assistant', content, providerOptions };
}

function fromModelMessage(message, messages) {
  const { index } = message.providerOptions.bench;
  if (message.role !== 'assistant') return index;
  const { reasoning_content: reasoning, tool_calls: calls, ...left } = messages[index];
  const types = new Set(message.content.map(({ type }) => type));
  const ids = new Set(message.content.map(({ toolCallId }) => toolCallId));
  const leftCalls = (calls ?? []).filter(({ id }) => ids.has(id));
  const keepsReasoning = types.has('reasoning') || !reasoning;
  if (keepsReasoning && leftCalls.length === (calls ?? []).length) return index;
  if (keepsReasoning && reasoning) left.reasoning_content = reasoning;
  if (leftCalls.length > 0) left.tool_calls = leftCalls;
  return left;
}
