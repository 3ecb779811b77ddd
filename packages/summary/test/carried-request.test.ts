import { agentReader } from '@palimpsest/agents';
import { apply, type Handoff, type Message, readHandoff } from '@palimpsest/core';
import { Draft, Transcript } from '@palimpsest/core/authoring';
import { assistant, call, exchange, quarterCounter, testHost, user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { compactionTemplate, condense, handoffTemplate, parseSummary } from '../src/index.ts';
import { bodyOf, write } from './writing.ts';

/** Folds all messages but the last into a handoff, after which the request follows. */
async function folded(messages: readonly Message[]): Promise<Pick<Handoff, 'body' | 'rest'>> {
  const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
  const draft = new Draft(transcript);
  const condensed = await condense(
    {
      draft,
      groups: [0, transcript.groups.length - 1],
      engine: 'test',
      previousSummary: null,
      budgetTokens: 1_200,
      effort: 'free',
      abortOnFailure: false,
    },
    testHost({ tokens: quarterCounter }),
  );
  expect(condensed.kind).toBe('written');
  const [first] = apply(messages, draft.edits(), transcript.groups).messages as Message[];
  return readHandoff(first!)!;
}

it('a request that follows the handoff is identified in it, not quoted in full a second time', async () => {
  const wishes = Array.from({ length: 60 }, (_, at) => `In src/part_${at}.ts the field total_${at} is to be renamed.`);
  const reads = Array.from({ length: 12 }, (_, at) =>
    exchange([
      call(`r${at}`, 'Read', { path: `src/part_${at}.ts` }),
      Array.from({ length: 30 }, (_, line) => `const total_${at} = row_${line} + ${line * at};`).join('\n'),
    ]),
  );
  const messages: Message[] = [user(wishes.join('\n')), ...reads.flat(), assistant('Half of it is done.')];
  const { body, rest } = await folded(messages);
  expect(rest).toBe(wishes.join('\n'));
  expect(parseSummary(body, handoffTemplate).sections[0]).toContain(wishes[0]);
  expect(wishes.filter((wish) => body.includes(wish)).length).toBeLessThan(15);
  expect(body).toContain('const total_11 = row_');
  expect(body).toContain('## Goal\nThe request after this summary states it.');
});

it('a section that has the request needs no reference to it', async () => {
  const messages = [user('Port the parser to Rust.'), assistant('Ported.'), user('What is left to do?')];
  const body = await bodyOf(write(messages, { template: compactionTemplate, effort: 'free' }));
  expect(body).toContain('## Goal\nWhat is left to do?\n\n');
});

it('a request is quoted whole if the mark for its rest would be no shorter', async () => {
  const request = `Move the ${'old and slow '.repeat(20)}tables to the new server, and tell me when it is done.`;
  const task = async (text: string): Promise<string> =>
    (await bodyOf(write([user(text), assistant('Moved.'), user(text)], { budgetTokens: 700, effort: 'free' })))
      .split('## Active Task\n')[1]!
      .split('\n\n## ')[0]!;
  expect(await task(request.slice(-130))).toBe(request.slice(-130));
  expect(await task(request)).toMatch(/\n\[\.\.\. \d{3} characters after this summary \.\.\.\]$/);
});

it('the reference to its rules is not taken for a rule of a model', async () => {
  const request = 'Write the memo. Never change a file. Always cite the source.';
  const manual = `A summary states what a request needs. The rules come after it. ${'More follows. '.repeat(400)}`;
  const { body } = await folded([
    user(request),
    ...exchange([call('a', 'read', { path: 'manual.md' }), manual]),
    assistant('Read it.'),
  ]);
  expect(body).toContain('\nThe request after this summary states rules.\n');
  expect(body).not.toContain("in the summary's words");
});

it.each([
  ['some', 12, 'of it'],
  ['none', 3, `of it and of ${'each of its indexes and views and '.repeat(9)}triggers`],
])('its rules are referred to after all others, if %s of them had room at first', async (_, count, of) => {
  const rules = Array.from({ length: count }, (_, at) => `Never change the table number ${at} without a copy ${of}.`);
  const { body } = await folded([
    user(`Move the tables.\n${rules.join('\n')}`),
    ...exchange([call('a', 'read', { path: 'tables.sql' }), 'create table a;\n'.repeat(400)]),
    assistant('Moved.'),
    user('Write the memo. Always cite the source.'),
    ...exchange([call('b', 'read', { path: 'memo.md' }), 'A memo.\n'.repeat(400)]),
    assistant('Read it.'),
  ]);
  const section = body.split('## Constraints & Preferences\n')[1]!.split('\n\n')[0]!.split('\n');
  expect(section.slice(0, -1)).toEqual(rules.map((rule) => `- ${rule}`));
  expect(section.at(-1)).toBe('The request after this summary states rules.');
});

it('what it decides is not listed again', async () => {
  const request = `Fix the ids ${'of all the pages '.repeat(6)}first. The id is that of the application, not the canonical one.`;
  const { body } = await folded([
    user(request),
    ...exchange([call('a', 'read', { path: 'manual.md' }), 'More follows. '.repeat(400)]),
    assistant('Read it.'),
  ]);
  expect(body).not.toContain('Decided by the user');
});
