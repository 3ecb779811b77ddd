import { contentText, type Message, toolCallInput, toolCalls } from '@palimpsest/core';
import { assistant, call, createScriptedSummarizer, result, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SummaryResult } from '../src/index.ts';
import { pageOf, write } from './writing.ts';

/** A turn in which the agent edits a file, runs the tests, and reports. */
function turn(at: number, asked: string, lines: number): Message[] {
  const output = Array.from({ length: lines }, (_, line) => `suite ${at}, case ${line} took ${at * 7 + line} ms`);
  return [
    user(`Step ${at}: ${asked}. Always keep module_${at} small.`),
    assistant(
      null,
      call(`w${at}`, 'write_file', { path: `src/part-${at % 4}.ts`, content: `export const step_${at} = 1;` }),
    ),
    result(`w${at}`, 'ok'),
    assistant(null, call(`t${at}`, 'bash', { command: 'npm test' })),
    result(`t${at}`, [...output, `Tests: ${at} failed, 3 passed`].join('\n')),
    assistant(`Step ${at} is done, and ${lines} cases were measured.`),
  ];
}

const request = fc.stringMatching(/^[a-z]{4,9}( [a-z]{4,9}){3,30}$/);
const session = fc
  .array(fc.tuple(request, fc.integer({ min: 1, max: 30 })), { minLength: 2, maxLength: 12 })
  .map((turns) => [...turns.flatMap(([asked, lines], at) => turn(at, asked, lines)), user('Now write the docs.')]);

/** The lines of a summary with the text of their source messages. */
async function sourcedLines(result: Promise<SummaryResult>, messages: readonly Message[]): Promise<[string, string][]> {
  const found = await result;
  if (found.kind === 'aborted') throw new Error('aborted');
  const lines = found.body.split('\n');
  return found.sources.map(({ line, from }) => [lines[line]!, from.map((at) => textOf(messages[at]!)).join('\n')]);
}

function textOf(message: Message): string {
  return [contentText(message.content), ...toolCalls(message).map(toolCallInput)].join('\n');
}

/** The words of a line that occur only in certain messages. */
const keyWords = (line: string): string[] => line.match(/Step \d+|module_\d+|part-\d|case \d+|step_\d+/g) ?? [];

describe.each([
  ['rules', undefined],
  ['a model', pageOf({ 'Relevant Files': '- src/part-1.ts - the second part' })],
] as const)('the lines of a summary by %s', (_, answer) => {
  const over = { ...(answer === undefined ? {} : { summarizer: createScriptedSummarizer(() => answer) }) };

  it('come from messages that have their key words', async () => {
    await fc.assert(
      fc.asyncProperty(session, fc.integer({ min: 400, max: 6_000 }), async (messages, budgetTokens) => {
        for (const [line, text] of await sourcedLines(write(messages, { ...over, budgetTokens }), messages))
          for (const word of keyWords(line)) expect(text, line).toContain(word);
      }),
      { numRuns: 40 },
    );
  });

  it('have a source for each message of the user, answer, changed file and verdict', async () => {
    const messages = [...[0, 1, 2, 3, 4].flatMap((at) => turn(at, 'add the parser and its tests', 9)), user('Go on.')];
    const lines = await sourcedLines(write(messages, { ...over, budgetTokens: 6_000 }), messages);
    const source = (start: string): string | undefined => lines.find(([line]) => line.startsWith(start))?.[1];
    for (const at of [0, 1, 2, 3, 4]) {
      expect(source(`${at + 1}. Step ${at}:`)).toBe(textOf(messages[at * 6]!));
      expect(source(`- Always keep module_${at}`)).toBe(textOf(messages[at * 6]!));
      expect(source(`- Agent: Step ${at} is done`)).toBe(textOf(messages[at * 6 + 5]!));
    }
    // The file was changed in the first and in the last turn.
    expect(source('- src/part-0.ts')).toBe([textOf(messages[1]!), textOf(messages[25]!)].join('\n'));
    expect(source('- src/part-1.ts')).toBe(textOf(messages[7]!));
    expect(source('- `npm test` failed')).toContain('Tests: 4 failed');
  });
});

it('a quotation by rules comes from the message that it quotes', async () => {
  const messages = [...turn(7, 'look at the times', 40), user('Go on.')];
  const lines = await sourcedLines(write(messages, { budgetTokens: 1_500 }), messages);
  const quoted = lines.filter(([line]) => line.startsWith('suite 7, case'));
  expect(quoted.length).toBeGreaterThan(5);
  for (const [line, text] of quoted) expect(text).toContain(line);
  expect(lines.some(([line, text]) => line.startsWith('- write_file ') && text.includes('step_7'))).toBe(true);
});
