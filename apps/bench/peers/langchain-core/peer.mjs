import { AIMessage, HumanMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import { argumentsOf, serve, textOf, toolNameOf } from './serve.mjs';

// Starting on "ai" as well as on "human" is to its advantage: an agent's run of tool calls may hold no later user message.
serve(async (messages, budgetTokens, tokens) => {
  const trimmed = await trimMessages(messages.map(toLangChain), {
    maxTokens: budgetTokens,
    strategy: 'last',
    tokenCounter: (some) => some.reduce((total, { id }) => total + tokens[Number(id)], 0),
    startOn: ['human', 'ai'],
  });
  return trimmed.map(({ id }) => Number(id));
});

function toLangChain(message, index) {
  const content = textOf(message.content);
  const id = String(index);
  if (message.role === 'tool')
    return new ToolMessage({ id, content, tool_call_id: message.tool_call_id, name: toolNameOf(message) });
  if (message.role !== 'assistant') return new HumanMessage({ id, content });
  const tool_calls = (message.tool_calls ?? []).map((call) => ({
    type: 'tool_call',
    id: call.id,
    name: toolNameOf(call),
    args: argumentsOf(call),
  }));
  return new AIMessage({ id, content, tool_calls });
}
