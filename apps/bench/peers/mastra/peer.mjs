import { TokenLimiterProcessor } from '@mastra/core/processors';
import { argumentsOf, largestFitting, serve, textOf, toolNameOf } from '../serve.mjs';

/** Percentages of the budget to try as its limit, since it counts tokens differently. */
const mostHundredths = 200;

serve(async (messages, budgetTokens, tokens) => {
  const prompt = messages.map(toPromptMessage);
  const indexOf = new Map(prompt.map((message, index) => [message, index]));
  const limited = async (hundredths) => {
    const limiter = new TokenLimiterProcessor({ limit: Math.floor((budgetTokens * hundredths) / 100) });
    try {
      const result = await limiter.processLLMRequest({ prompt });
      return (result?.prompt ?? prompt).map((message) => indexOf.get(message));
    } catch (error) {
      if (/No messages fit|exceed token limit/.test(error.message)) return [];
      throw error;
    }
  };
  const sizeOf = (indices) => indices.reduce((total, index) => total + tokens[index], 0);
  const best = await largestFitting(
    mostHundredths,
    async (hundredths) => sizeOf(await limited(hundredths)) <= budgetTokens,
  );
  return limited(best);
});

function toPromptMessage(message) {
  if (message.role === 'tool') {
    const output = { type: 'text', value: textOf(message.content) };
    const result = { type: 'tool-result', toolCallId: message.tool_call_id, toolName: toolNameOf(message), output };
    return { role: 'tool', content: [result] };
  }
  const content = [];
  if (message.role === 'assistant' && message.reasoning_content)
    content.push({ type: 'reasoning', text: message.reasoning_content });
  const text = textOf(message.content);
  if (text !== '') content.push({ type: 'text', text });
  for (const call of message.tool_calls ?? [])
    content.push({ type: 'tool-call', toolCallId: call.id, toolName: toolNameOf(call), input: argumentsOf(call) });
  return { role: message.role === 'assistant' ? 'assistant' : 'user', content };
}
