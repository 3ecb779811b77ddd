import { AIMessage, ClearToolUsesEdit, HumanMessage, ToolMessage } from 'langchain';
import { langChainWriter } from '../langchain-messages.mjs';
import { serve, tokensLeft } from '../serve.mjs';

const toLangChain = langChainWriter({ AIMessage, HumanMessage, ToolMessage });

// It takes a trigger and a number of results to keep: the largest number that fits the budget.
serve(async (messages, budgetTokens, tokens) => {
  const cleared = messages.map((message, index) =>
    message.role === 'tool' ? tokensLeft(message, { ...message, content: '[cleared]' }, tokens[index]) : 0,
  );
  const edit = new ClearToolUsesEdit({
    trigger: { tokens: budgetTokens },
    keep: { messages: resultsThatFit(messages, budgetTokens, tokens, cleared) },
  });
  const edited = messages.map(toLangChain);
  // Only the count for the trigger matters; it happens before clearing removes ids.
  const countTokens = (some) => some.reduce((total, { id }) => total + (id === undefined ? 0 : tokens[Number(id)]), 0);
  await edit.apply({ messages: edited, countTokens });
  // A cleared result has no id, so it is matched to the next result in order that answers the same call.
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

function resultsThatFit(messages, budgetTokens, tokens, cleared) {
  let total = 0;
  for (const [index, { role }] of messages.entries()) total += role === 'tool' ? cleared[index] : tokens[index];
  let count = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    if (messages[index].role !== 'tool') continue;
    total += tokens[index] - cleared[index];
    if (total > budgetTokens) break;
    count++;
  }
  return count;
}
