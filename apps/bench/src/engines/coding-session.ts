import type { Message } from '@palimpsest/core';

const vocabulary =
  'const value return the parser range accepts open function import from test passes module server upload file path line result output build index array token string number window session every other request'.split(
    ' ',
  );

/**
 * Generates a coding session. Each turn is a request, four reads of files with numbers and paths, and a reply.
 * @param seed sessions of different seeds have different texts
 */
export function codingSession(size: number, seed = 42, tokensPerMessage = 500): Message[] {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const text = (tokens: number): string => {
    const words: string[] = [];
    for (let length = 0; length < tokens * 4; length += words.at(-1)!.length + 1)
      words.push(
        next(12) === 0
          ? `src/area-${next(40)}/file-${next(900)}.ts:${next(400)}`
          : vocabulary[next(vocabulary.length)]!,
        ...(next(12) === 0 ? ['\n'] : []),
      );
    return words.join(' ');
  };
  const messages: Message[] = [{ role: 'system', content: 'You are a coding agent.' }];
  for (let call = 0; messages.length < size; ) {
    messages.push({ role: 'user', content: text(60) });
    for (let read = 0; read < 4; read++) {
      const id = `call_${++call}`;
      const path = `/repo/src/area-${call % 40}/file-${call}.ts`;
      messages.push(
        {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } }],
        },
        { role: 'tool', tool_call_id: id, content: text((tokensPerMessage * 10) / 4 - 40) },
      );
    }
    messages.push({ role: 'assistant', content: text(60) });
  }
  return messages.slice(0, size);
}
