import type { Message } from '@palimpsest/core';

/** A system message, a first request, `exchanges` tool exchanges with long results, and a request at the end. */
export function conversation(exchanges = 12): Message[] {
  const messages: Message[] = [
    { role: 'system', content: 'You are a careful agent.' },
    { role: 'user', content: 'Please read the files and tell me what they do.' },
  ];
  for (let index = 0; index < exchanges; index++) {
    const id = `call_${index}`;
    messages.push(
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id, type: 'function', function: { name: 'read_file', arguments: `{"path":"src/${index}.ts"}` } },
        ],
      },
      { role: 'tool', tool_call_id: id, content: `line ${index} of a rather long file\n`.repeat(40) },
    );
  }
  messages.push(
    { role: 'assistant', content: 'I have read them all.' },
    { role: 'user', content: 'Now fix the third one.' },
  );
  return messages;
}
