import type { ContextEvent, Message, Part } from '@palimpsest/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEngineHost, createRegistry } from '../src/index.ts';
import { conversation } from './conversation.ts';

/** Deeper than the call stack, and wider than the maximum number of arguments. */
const depth = 100_000;
const width = 145_000;

const numbered = (write: (index: number) => string): string =>
  Array.from({ length: width }, (_, at) => write(at)).join('\n');
const nested = (open: string, close: string, levels = depth): string => open.repeat(levels) + close.repeat(levels);
function nestedValue(): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
}
const textPart = (text: string): Part => ({ type: 'text', text }) as Part;
const list = (): number[] => Array.from({ length: width }, (_, at) => at);

const texts: Readonly<Record<string, string>> = {
  'eight thousand brackets': nested('[', ']', 4_000),
  'nested lists': nested('[', ']'),
  'nested objects': `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  'lists that are never closed': '['.repeat(depth),
  'nested tags': nested('<a>', '</a>'),
  'nested quotes': `${'> '.repeat(depth)}x`,
  'many lines': numbered((at) => `line ${at}`),
  'many rules': numbered((at) => `- always use item ${at}`),
  'many headings': numbered((at) => `## Heading ${at}\n- item`),
  'a long list': JSON.stringify(list()),
  'a wide object': JSON.stringify(Object.fromEntries(list().map((at) => [`key${at}`, at]))),
};

/** Width is tested in only one place for each path, because it is slow. */
const deepTexts = Object.entries(texts).filter(([name]) => !/many|long|wide/.test(name));

const inputs: Readonly<Record<string, string>> = {
  'a text of many lines': JSON.stringify({ path: 'a.py', content: texts['many lines'] }),
  'a nested list': `{"value":${texts['nested lists']}}`,
  'nothing but brackets': texts['nested lists']!,
  'nested objects': texts['nested objects']!,
  'a long list': JSON.stringify({ items: list() }),
  'nested tasks': `{"todos":${texts['nested lists']}}`,
  'many lines that are not JSON': texts['many lines']!,
};

const calling = (name: string, input: string, content: Message['content']): Message[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'x', type: 'function', function: { name, arguments: input } }],
  },
  { role: 'tool', tool_call_id: 'x', content },
];
const said = (content: Message['content']): Message[] => [
  { role: 'user', content },
  { role: 'assistant', content: 'I see.' },
];

const hostile: readonly (readonly [what: string, messages: () => Message[]])[] = [
  ...Object.entries(texts).map(([name, text]): [string, () => Message[]] => [
    `a tool result: ${name}`,
    () => calling('terminal', '{"command":"cat x"}', text),
  ]),
  ...[...deepTexts, ['many rules', texts['many rules']!] as const].map(([name, text]): [string, () => Message[]] => [
    `a user message: ${name}`,
    () => said(text),
  ]),
  ...Object.entries(inputs).map(([name, input]): [string, () => Message[]] => [
    `arguments: ${name}`,
    () => calling(name.includes('tasks') ? 'todo_write' : 'write_file', input, 'done'),
  ]),
  ['a user message of many parts', () => said(list().map((at) => textPart(`part ${at}`)))],
  [
    'a tool result of many parts',
    () =>
      calling(
        'terminal',
        '{}',
        list().map((at) => textPart(`part ${at}`)),
      ),
  ],
  ['a part that nests', () => said([{ type: 'json', value: nestedValue() } as Part, textPart('x')])],
  ['a tool result that nests', () => calling('terminal', '{}', [{ type: 'json', value: nestedValue() } as Part])],
  ['a field that nests', () => [{ role: 'assistant', content: 'I see.', extra: nestedValue() } as Message]],
  ['many messages', () => list().flatMap((at) => (at % 2 ? [] : said(`message ${at}`)))],
];

const engines = ['compressor', 'prune-compact'] as const;

/** The cases for one engine. The slow wide ones are shared out between the engines, except in a deep run. */
function casesFor<Case extends readonly [string, unknown]>(name: string, cases: readonly Case[]): Case[] {
  let wide = 0;
  return cases.filter(
    ([what]) =>
      !/many|long|wide/.test(what) || process.env.PALIMPSEST_DEEP || engines[wide++ % engines.length] === name,
  );
}

let around: readonly [before: Message[], after: Message[]];
beforeAll(() => {
  const long = conversation(16);
  around = [long.slice(0, 8), [{ role: 'assistant', content: 'Go on.' }, ...long.slice(8)]];
});

describe.each(engines)('%s compacts, and stays in service, whatever is in the transcript:', (name) => {
  it.each(casesFor(name, hostile))(
    '%s',
    async (_what, messages) => {
      const events: ContextEvent[] = [];
      const registry = createRegistry({ onEvent: (event) => events.push(event) });
      const engine = await registry.create({ engine: name }, createEngineHost());
      await engine.updateModel({ id: 'some', contextLength: 16_000 });
      const [before, after] = around;
      const input = [...before, ...messages(), ...after];
      const first = await engine.compress(input, { force: true });
      expect(first.report.engine).toBe(name);
      const second = await engine.compress(first.messages as Message[], { force: true, targetTokens: 3_000 });
      expect(second.report.engine).toBe(name);
      await engine.restore(engine.snapshot());
      const failures = ['engine-replaced', 'snapshot-discarded'];
      expect(events.filter(({ type }) => failures.includes(type))).toEqual([]);
    },
    180_000,
  );

  it.each(casesFor(name, Object.entries(texts)))(
    'a summary of a model: %s',
    async (_what, text) => {
      const events: ContextEvent[] = [];
      const registry = createRegistry({ onEvent: (event) => events.push(event) });
      const summarize = async () => ({ text: `## Active Task\nx\n\n## Completed Actions\n1. read\n${text}` });
      const engine = await registry.create(
        { engine: name },
        createEngineHost({ summarizer: { id: 'model', summarize } }),
      );
      await engine.updateModel({ id: 'some', contextLength: 16_000 });
      const first = await engine.compress(conversation(16), { force: true });
      const second = await engine.compress([...(first.messages as Message[]), ...conversation(16)], { force: true });
      expect([first.report.engine, second.report.engine]).toEqual([name, name]);
      expect(events.filter(({ type }) => type === 'engine-replaced')).toEqual([]);
    },
    180_000,
  );
});
