import type { Message } from '@palimpsest/core';

/** A session of an agent that reads the same few files over and over: as many exchanges as wanted, about 1,000 tokens each. */
export function session(exchanges: number, request = 'Find out why the build fails and mend it.'): Message[] {
  const messages: Message[] = [
    { role: 'system', content: 'You are a careful engineer.' },
    { role: 'user', content: request },
  ];
  for (let turn = 0; turn < exchanges; turn++) {
    const path = `src/module-${turn % 7}/index.ts`;
    const lines = Array.from(
      { length: 60 },
      (_, line) => `${line + 1}: export const value${turn % 7}_${line} = compute(${line * turn});`,
    );
    messages.push(
      {
        role: 'assistant',
        content: `Looking at ${path} for the ${turn}th time.`,
        tool_calls: [
          {
            id: `call_${turn}`,
            type: 'function',
            function: { name: 'read_file', arguments: JSON.stringify({ path }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: `call_${turn}`, content: lines.join('\n') },
    );
  }
  messages.push({ role: 'assistant', content: 'The build fails for want of a semicolon.' });
  return messages;
}
