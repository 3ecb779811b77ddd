import type { Message } from '@palimpsest/core';
import { assistant, scriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { referredLines } from '../src/record/referred-lines.ts';
import { readWorkRecord } from '../src/work-record/read-work-record.ts';
import { bodyOf, recordOf, write } from './writing.ts';

const proposals = [
  'I see five ways to go on:',
  '',
  '1. **Cache the tokens.** Saves a tenth.',
  '2. **Stream the rows.** Needs a new reader.',
  '3. **Drop the index.** Risky.',
  '4. **Split the table.**',
  '   Takes a migration of the orders.',
  '5. **Wait for the upgrade.**',
  '',
  '## What I would do',
  'Wait.',
].join('\n');
const costs = 'The reader costs two days:\n1. Parsing, one day\n2. Tests, one day';

function referred(request: string, ...answers: readonly string[]): string[] {
  const messages: Message[] = [user('How can the export become faster?'), ...answers.map((text) => assistant(text))];
  messages.push(user(request));
  const { turns, said } = readWorkRecord({ messages });
  return referredLines(turns, said.slice(-1)).map((line) => turns.lines[line]!.text.trim());
}

describe('the lines of an answer that a request names', () => {
  it.each([
    'Do #2 and #4.',
    "Let's address points 2, 4",
    '2 and 4',
    'Bitte Punkt 2 und 4.',
    'Пункты 2 и 4, пожалуйста.',
    '请做第2、4项',
    'Tee 2 ja 4: #2, #4',
    'Go with options 2 & 4, please',
    'ok, 4 and 2',
  ])('are whole items: %s', (request) => {
    expect(referred(request, proposals)).toEqual([
      '2. **Stream the rows.** Needs a new reader.',
      '4. **Split the table.**',
      'Takes a migration of the orders.',
    ]);
  });

  it('end at a heading', () => {
    expect(referred('Number 5!', proposals)).toEqual(['5. **Wait for the upgrade.**']);
  });

  it('are those of the newest list that has all of them', () => {
    expect(referred('Do #1 and #2 first.', proposals, costs)).toEqual(['1. Parsing, one day', '2. Tests, one day']);
    expect(referred('Do #2 and #5 first.', proposals, costs)).toEqual([
      '2. **Stream the rows.** Needs a new reader.',
      '5. **Wait for the upgrade.**',
    ]);
    expect(referred('Do #1 and #3.', `${costs}\n\nRisks:\n1. Time\n2. Money\n3. Names`)).toEqual([
      '1. Time',
      '3. Names',
    ]);
    expect(referred('Do #7.', proposals, costs)).toEqual([]);
  });

  it('may have letters', () => {
    const answer = 'Two variants:\n\nOption A: keep the table.\n**Option B**: split it by month.\n\nWhich one?';
    expect(referred('Option B.', answer)).toEqual(['**Option B**: split it by month.', 'Which one?']);
    expect(referred('a', answer)).toEqual(['Option A: keep the table.']);
  });

  it('are the questions that a request answers one by one', () => {
    const questions = `${proposals.replace('Wait.', 'Which of them?')}`;
    const items = ['2. **Stream the rows.** Needs a new reader.', '3. **Drop the index.** Risky.'];
    expect(referred('3. yup\n\n2. only the large ones', questions)).toEqual(items);
    expect(referred('**2)** later\n3: no', questions)).toEqual(items);
    // The agent asked nothing, asked something else since, or the request is a list of its own.
    expect(referred('3. yup\n2. only the large ones', proposals)).toEqual([]);
    expect(referred('3. yup\n2. only the large ones', questions, 'Shall I start?')).toEqual([]);
    expect(referred('2. Add a cache.\n6. Write the docs.', questions)).toEqual([]);
    expect(referred('Yes, and also:\n2. Add a cache.', questions)).toEqual([]);
  });

  it.each([
    'See PR #2.',
    '[Image #4] This is wrong.',
    'Call the number 4-800-1234.',
    'Wait 4 minutes, then 2 more.',
    'Fix issue #214.',
    `Do #2. ${'Because of all this. '.repeat(30)}`,
  ])('are not looked for because of other numbers: %s', (request) => {
    expect(referred(request, proposals)).toEqual([]);
  });
});

it.each([
  ['by rules', undefined],
  ['by a model that forgets them', recordOf()],
  ['by a model that quotes them', recordOf({ 'Critical Context': '- 2. **Stream the rows.** Needs a new reader.' })],
])('a handoff %s has them, and only once', async (_, answer) => {
  const noise = Array.from(
    { length: 60 },
    (_, at) => `The value of limit_${at} in \`src/limits_${at}.ts\` is ${at * 37}.`,
  );
  const messages = [user('Review it.'), assistant(`${proposals}\n\n${noise.join('\n')}`), user('Go on with #2.')];
  const summarizer = answer === undefined ? undefined : scriptedSummarizer([answer]);
  const body = await bodyOf(write(messages, { sources: [0, 1], budgetTokens: 900, summarizer }));
  expect(body.split('2. **Stream the rows.** Needs a new reader.')).toHaveLength(2);
});
