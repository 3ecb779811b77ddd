import { AIMessage, ClearToolUsesEdit, HumanMessage, ToolMessage } from 'langchain';
import { argumentsOf, serve, textOf, toolNameOf } from './serve.mjs';

/** About what a result costs once it is cleared. */
const clearedTokens = 12;

// Its budget is a trigger and a number of results to keep: the largest number with which everything else still fits.
serve(async (messages, budgetTokens, tokens) => {
  const edit = new ClearToolUsesEdit({
    trigger: { tokens: budgetTokens },
    keep: { messages: resultsThatFit(messages, budgetTokens, tokens) },
  });
  const edited = messages.map(toLangChain);
  const countTokens = (some) =>
    some.reduce((total, { id }) => total + (id === undefined ? clearedTokens : tokens[Number(id)]), 0);
  await edit.apply({ messages: edited, countTokens });
  // A cleared result has lost its id: it is the next one in order that answers the same call.
  let at = -1;
  return edited.map(({ id, content, tool_call_id }) => {
    if (id !== undefined) {
      at = Number(id);
      return at;
    }
    do at++;
    while (messages[at].tool_call_id !== tool_call_id);
    return { ...messages[at], content };
  });
});

function resultsThatFit(messages, budgetTokens, tokens) {
  let total = 0;
  for (const [index, { role }] of messages.entries()) total += role === 'tool' ? clearedTokens : tokens[index];
  let count = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    if (messages[index].role !== 'tool') continue;
    total += tokens[index] - clearedTokens;
    if (total > budgetTokens) break;
    count++;
  }
  return count;
}

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
