import { AIMessage, HumanMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import { langChainWriter } from '../langchain-messages.mjs';
import { serve } from '../serve.mjs';

const toLangChain = langChainWriter({ AIMessage, HumanMessage, ToolMessage });

// Starting on "ai" as well as "human" favors this peer: an agent's run of tool calls may contain no later user message.
serve(async (messages, budgetTokens, tokens) => {
  const trimmed = await trimMessages(messages.map(toLangChain), {
    maxTokens: budgetTokens,
    strategy: 'last',
    tokenCounter: (some) => some.reduce((total, { id }) => total + tokens[Number(id)], 0),
    startOn: ['human', 'ai'],
  });
  return trimmed.map(({ id }) => Number(id));
});
