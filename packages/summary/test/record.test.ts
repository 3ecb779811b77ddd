import type { Message } from '@palimpsest/core';
import { assistant, call, result, scriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { handoffTemplate, parseSummary } from '../src/index.ts';
import { bodyOf, recordOf, write } from './writing.ts';

const decision = 'Use Postgres for the queue, not SQLite.';

/** A session of many turns: in each, the user asks for a step, the agent edits a file and says what it did. */
function session(turns: number): Message[] {
  return Array.from({ length: turns }, (_, at): Message[] => [
    user(
      at === 0
        ? `Let us build the importer. ${decision}`
        : `Please add step ${at} of the importer, named ${'x'.repeat(90)}-${at}.`,
    ),
    assistant(
      null,
      call(`w${at}`, 'write_file', { path: `src/steps/step-${at}.ts`, content: `export const step = ${at};` }),
    ),
    result(`w${at}`, 'ok'),
    assistant(`Step ${at} of the importer is in place and its tests pass.`),
  ]).flat();
}

const messages = [...session(12), user('Now write the docs.')];
const sections = async (body: Promise<string>): Promise<Readonly<Record<string, string>>> => {
  const parsed = parseSummary(await body, handoffTemplate);
  return Object.fromEntries(handoffTemplate.sections.map(({ heading }, at) => [heading, parsed.sections[at]!]));
};
const empty = recordOf();
const inventing = recordOf({ 'Relevant Files': '- src/dreamt.ts - created\n- src/steps/step-3.ts - the third step' });
const contradicting = recordOf({
  'Constraints & Preferences': '- The user wants SQLite for the queue.',
  'Key Decisions': '- The user decided on SQLite for the queue.',
  'User Messages': '1. Use SQLite.',
});

describe.each([
  ['rules', undefined],
  ['a model that forgets everything', empty],
  ['a model that invents a file', inventing],
  ['a model that contradicts the user', contradicting],
] as const)('a summary by %s', (_, answer) => {
  const over = { budgetTokens: 4_000, ...(answer === undefined ? {} : { summarizer: scriptedSummarizer([answer]) }) };

  it('has every message of the user in order, with what the agent answered', async () => {
    const { 'User Messages': log } = await sections(bodyOf(write(messages, over)));
    for (const at of [1, 5, 11]) {
      expect(log).toContain(`${at + 1}. Please add step ${at} of the importer, named ${'x'.repeat(40)}`);
      expect(log).toContain(`Agent: Step ${at} of the importer is in place`);
    }
    expect(log).not.toMatch(/^\d+\. Use SQLite/m);
  });

  it('has every changed file, and no other, as changed', async () => {
    const { 'Relevant Files': files } = await sections(bodyOf(write(messages, over)));
    for (let at = 0; at < 12; at++)
      expect(files).toMatch(new RegExp(`^- src/steps/step-${at}\\.ts - (?:created|edited)`, 'm'));
    expect(files).not.toContain('dreamt');
  });

  it("has the user's decision in the user's own words", async () => {
    const { 'Constraints & Preferences': rules, 'Key Decisions': decisions } = await sections(
      bodyOf(write(messages, over)),
    );
    expect(rules).toContain(decision);
    expect(`${rules}\n${decisions}`).not.toMatch(/The user (?:wants|decided on) SQLite/);
  });
});

it('reports what it corrected', async () => {
  const warningsFor = async (answer: string): Promise<string> =>
    (await write(messages, { summarizer: scriptedSummarizer([answer]) })).warnings.join('\n');
  expect(await warningsFor(inventing)).toContain('1 file of the summary that the session does not know left out.');
  expect(await warningsFor(contradicting)).toContain('The summary reworded 1 statement of the user');
});

it('marks decisions that a model states, and lists those of the user in full', async () => {
  const answer = recordOf({
    'Key Decisions': `- The user decided to store the sizes in a second table.\n- Decided by the user: Drop the queue.\n- We keep the loop.\n- ${decision}\n- SQLite for the queue.`,
  });
  const { 'Key Decisions': decisions } = await sections(
    bodyOf(write(messages, { summarizer: scriptedSummarizer([answer]) })),
  );
  expect(decisions?.split('\n')).toEqual([
    "- The user decided to store the sizes in a second table. (in the summary's words)",
    "- Decided by the user: Drop the queue. (in the summary's words)",
    "- We keep the loop. (in the summary's words)",
    `- ${decision}`,
    "- SQLite for the queue. (in the summary's words)",
  ]);
});

it('keeps the notes of a model on the files that were changed', async () => {
  const { 'Relevant Files': files } = await sections(
    bodyOf(write(messages, { summarizer: scriptedSummarizer([inventing]) })),
  );
  expect(files).toMatch(/^- src\/steps\/step-3\.ts - [^\n]*; the third step$/m);
});

it('keeps the notes of a model on files that it names by the end of their path, and repeats no earlier words', async () => {
  const answer = recordOf({
    'Relevant Files':
      '- steps/step-3.ts - the third step\n- `./src/steps/step-4.ts` - edited once; newest change: a; the fourth',
  });
  const { 'Relevant Files': files } = await sections(
    bodyOf(write(messages, { summarizer: scriptedSummarizer([answer]) })),
  );
  expect(files).toMatch(/^- src\/steps\/step-3\.ts - [^\n]*; the third step$/m);
  expect(files).toMatch(/^- src\/steps\/step-4\.ts - created; newest change: [^;\n]*;; the fourth$/m);
  expect(files!.match(/step-3\.ts/g)).toHaveLength(1);
});

it('lists no line numbers and no parts of shell commands as exact values', async () => {
  const read = (at: number): Message[] => [
    assistant(null, call(`r${at}`, 'bash', { command: 'P=/opt/lib; cat "$P"/theme.go 2>/dev/null | head -40' })),
    result(`r${at}`, '1107\tfunc beginResume(port int) {\n1108\t  open("build/out-7.json")\n2031-05-17 begun'),
  ];
  const body = await bodyOf(
    write([user('Look at the theme.'), ...read(1), ...read(2), assistant('Seen.'), user('Go on.')], {
      summarizer: scriptedSummarizer([empty]),
    }),
  );
  const values = /^Exact values: .*$/m.exec(body)![0];
  for (const value of ['`build/out-7.json`', '`2031-05-17`']) expect(values).toContain(value);
  for (const other of ['1107', '/dev/null', '`/theme.go`']) expect(values).not.toContain(other);
});

it('tells a model the record as given facts and does not ask for it', async () => {
  const summarizer = scriptedSummarizer([empty]);
  await bodyOf(write(messages, { summarizer }));
  const { prompt } = summarizer.calls[0]!;
  expect(prompt).toMatch(/<source-facts>[\s\S]*src\/steps\/step-11\.ts[\s\S]*<\/source-facts>/);
  expect(prompt).not.toContain('## User Messages');
});

it('says how much it left out when the budget is small, and leaves room for quotations', async () => {
  const many = [...session(90), user('Now write the docs.')];
  const budgetTokens = 1_000;
  const { 'User Messages': log, 'Relevant Files': files } = await sections(bodyOf(write(many, { budgetTokens })));
  const listed = [...log!.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  const [, left] = /^- (\d+) earlier messages left out$/m.exec(log!)!;
  expect(Number(left)).toBe(90 - listed.length);
  // The first message is said once; the others differ only in their numbers.
  expect(listed).toEqual([1, ...Array.from({ length: listed.length - 1 }, (_, at) => 92 - listed.length + at)]);
  expect(files).toMatch(/^- Changed in src\/steps\/: step-\d+\.ts, .* and \d+ more$/m);
});

it('continues the numbers of the summary before it', async () => {
  const first = await bodyOf(write(messages));
  const later = [
    user('And now release it.'),
    assistant(null, call('r', 'bash', { command: 'npm publish' })),
    result('r', 'published'),
    assistant('Version 1.2.0 is published.'),
    user('Thanks. What is next?'),
  ];
  const { 'User Messages': log } = await sections(bodyOf(write(later, { previousSummary: first })));
  const numbers = [...log!.matchAll(/^(\d+)\. ([^\n]*)/gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  expect(log).toMatch(/^1[34]\. And now release it\./m);
  expect(log!.match(/Please add step 4/g)).toHaveLength(1);
});

it('carries what the lists of the summary before it left out or named by folder', async () => {
  const many = [...session(90), user('Now write the docs.')];
  const budgetTokens = 1_000;
  const first = await bodyOf(write(many, { budgetTokens }));
  const named = (files: string): number => files.match(/step-\d+\.ts/g)?.length ?? 0;
  const before = parseSummary(first, handoffTemplate).sections;
  const at = (heading: string): number => handoffTemplate.sections.findIndex((one) => one.heading === heading);
  const next = [
    user('And now release it.'),
    assistant(null, call('r', 'bash', { command: 'npm publish' })),
    result('r', 'published'),
    assistant('Version 1.2.0 is published.'),
    user('Thanks. What is next?'),
  ];
  const after = await sections(bodyOf(write(next, { previousSummary: first, budgetTokens: 4_000 })));
  const gone = (log: string): number => Number(/^- (\d+) earlier messages left out$/m.exec(log)?.[1]);
  expect(gone(before[at('User Messages')]!)).toBeGreaterThan(60);
  expect(gone(after['User Messages']!)).toBe(gone(before[at('User Messages')]!));
  expect(named(after['Relevant Files']!)).toBe(named(before[at('Relevant Files')]!));
});

it('counts what is left out in one line per list, through many summaries', async () => {
  const budgetTokens = 700;
  let previousSummary: string | undefined;
  const left: number[] = [];
  for (let round = 0; round < 4; round++) {
    const turns = Array.from({ length: 30 }, (_, turn): Message[] => {
      const id = `${round}-${turn}`;
      return [
        user(`Please look at part ${id} of the program.`),
        assistant(`I decided to keep part ${id} in Go because Rust is slower to build there.`),
        assistant(null, call(id, 'write', { path: `src/part-${turn}/file-${round}.ts`, content: 'x' })),
        result(id, 'ok'),
        assistant(`Part ${id} is written.`),
      ];
    }).flat();
    const options = { budgetTokens, ...(previousSummary === undefined ? {} : { previousSummary }) };
    previousSummary = await bodyOf(write([...turns, user('Go on.')], options));
    const notes = [...previousSummary.matchAll(/^.*\bleft out$/gm)].map(([line]) => line);
    expect(notes.map((note) => note.replace(/\d+/, 'N'))).toEqual([
      ...new Set(notes.map((note) => note.replace(/\d+/, 'N'))),
    ]);
    left.push(...notes.flatMap((note) => /^- (\d+) earlier statements/.exec(note)?.[1] ?? []).map(Number));
  }
  expect(left).toHaveLength(4);
  expect(left).toEqual(left.toSorted((a, b) => a - b));
  expect(left.at(-1)).toBeGreaterThan(90);
});
