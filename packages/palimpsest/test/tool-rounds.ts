import type OpenAI from 'openai';

/** A coding session as chat messages: a request, then rounds of a tool call with a result of about 300 tokens. */
export function toolRounds(rounds: number): OpenAI.ChatCompletionMessageParam[] {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You are a coding agent.' },
    { role: 'user', content: 'Fix the failing test of the parser.' },
  ];
  for (let round = 0; round < rounds; round++) messages.push(...toolRound(round));
  return messages;
}

function toolRound(round: number): OpenAI.ChatCompletionMessageParam[] {
  const path = `src/module-${round}.ts`;
  const call = { name: 'read_file', arguments: JSON.stringify({ path }) };
  return [
    { role: 'assistant', content: null, tool_calls: [{ id: `call_${round}`, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: `call_${round}`, content: fileText(round) },
  ];
}

function fileText(round: number): string {
  return Array.from(
    { length: 30 },
    (_, line) => `export const value_${round}_${line} = compute(${round * line});`,
  ).join('\n');
}
