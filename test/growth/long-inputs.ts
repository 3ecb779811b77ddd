import type { Message, ToolCall } from '@palimpsest/core';

/** Transcripts of about `size` characters. Each has a shape that once took quadratic time. */
export const longInputs: Readonly<Record<string, (characters: number) => Message[]>> = {
  'a line without blanks': (size) => session([['read', '{"path":"a"}', 'ab/cd.ef_gh-'.repeat(size / 12)]]),
  'a line of calls and lists': (size) => session([['bash', '{"command":"a"}', 'a,b;c(d)'.repeat(size / 8)]]),
  'a pasted line': (size) => [...session([]), said('user', 'ab/cd.ef'.repeat(size / 8)), ...end],
  'arguments full of escapes': (size) => session([writing('\\"\n\t'.repeat(size / 8))]),
  'arguments full of code points': (size) =>
    session([['write', `{"path":"a.ts","content":"${'\\u0041'.repeat(size / 6)}"}`, 'ok']]),
  'arguments of many short texts': (size) =>
    session([['write', JSON.stringify(numbered(size / 20, (at) => `value ${at}`)), 'ok']]),
  'arguments that nest deeply': (size) =>
    session([['write', `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`, 'ok']]),
  'many short lines, written in one call': (size) =>
    session([writing(numbered(size / 9, (at) => String(at).padStart(8, 'q')).join('\n'))]),
  'many short lines, read': (size) =>
    session([['read', '{"path":"a"}', numbered(size / 9, (at) => String(at).padStart(8, 'q')).join('\n')]]),
  'closing tags of the prompt': (size) =>
    session([['read', '{"path":"a"}', numbered(size / 16, (at) => `</source${at}-`).join('\n')]]),
  'unclosed harness tags': (size) => [...session([]), said('user', '<system-reminder>'.repeat(size / 17)), ...end],
  'calls that share an id': (size) => [
    ...start,
    ...numbered(size / 400, () => [calling('same'), answer('same')]).flat(),
    ...end,
  ],
  'one message with calls that share an id': (size) => {
    const calls = numbered(size / 400, () => callOf('same'));
    return [
      ...start,
      { role: 'assistant', content: null, tool_calls: calls },
      ...calls.map(() => answer('same')),
      ...session([]).slice(2),
    ];
  },
  // Enough calls that a model is asked at both sizes.
  'unanswered calls': (size) => [...start, ...numbered(size / 200, (at) => calling(`c${at}`)), ...end],
  'one message with unanswered calls': (size) => [
    ...session([]),
    { role: 'assistant', content: null, tool_calls: numbered(size / 400, (at) => callOf(`c${at}`)) },
    ...end,
  ],
  'many rules of the user': (size) => [
    ...start,
    ...numbered(size / 100, (at) => [
      said('user', `Always indent by ${at} blanks.`),
      said('assistant', 'I will.'),
    ]).flat(),
    ...end,
  ],
  'one decision of the agent, repeated in a message': (size) => [
    ...session([]),
    said('assistant', `${decision}\n`.repeat(size / (decision.length + 1))),
    ...end,
  ],
  'one decision of the agent, repeated in many messages': (size) => [
    ...start,
    ...numbered(size / decision.length / 20, () => [
      said('user', 'Go on.'),
      said('assistant', `${decision} `.repeat(20)),
    ]).flat(),
    ...end,
  ],
  'a message of many parts': (size) => [
    ...session([]),
    {
      role: 'user',
      content: numbered(size / 40, (at) => ({ type: 'text' as const, text: `part ${at} of a message` })),
    },
    ...end,
  ],
};

const decision = 'I decided to use SQLite instead of Postgres because it needs no server.';

type Call = readonly [name: string, input: string, output: string];

const start: readonly Message[] = [said('system', 'You are an agent.'), said('user', 'Fix the failing test in a.ts.')];
const end: readonly Message[] = [said('assistant', 'Done so far.'), said('user', 'Go on with it.')];

function session(calls: readonly Call[]): Message[] {
  const usual = numbered(30, (at): Call => ['bash', `{"command":"ls ${at}"}`, `line ${at} of output\n`.repeat(150)]);
  const exchanges = [...calls, ...usual].flatMap(([name, input, output], at): Message[] => [
    {
      role: 'assistant',
      content: 'Next.',
      tool_calls: [{ id: `s${at}`, type: 'function', function: { name, arguments: input } }],
    },
    { role: 'tool', tool_call_id: `s${at}`, content: output },
  ]);
  return [...start, ...exchanges, ...end];
}

function said(role: 'system' | 'user' | 'assistant', content: string): Message {
  return { role, content };
}

function writing(content: string): Call {
  return ['write', JSON.stringify({ path: 'a.ts', content }), 'ok'];
}

function callOf(id: string): ToolCall {
  return { id, type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
}

function calling(id: string): Message {
  return { role: 'assistant', content: null, tool_calls: [callOf(id)] };
}

function answer(id: string): Message {
  return { role: 'tool', tool_call_id: id, content: 'out '.repeat(60) };
}

function numbered<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: Math.floor(count) }, (_, at) => make(at));
}
