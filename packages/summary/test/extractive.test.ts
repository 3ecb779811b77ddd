import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';
import { arbitraryTranscript, assistant, call, result, user } from '@palimpsest/testkit';
import { createTokenCounter, estimateTokens } from '@palimpsest/tokens';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactionTemplate, extractive, handoffTemplate, parseSummary, resumptionTemplate } from '../src/index.ts';

const write = async (
  messages: readonly Message[],
  budgetTokens: number,
  over: { previousSummary?: string; template?: typeof handoffTemplate; focusTopic?: string } = {},
): Promise<string> => {
  const material = {
    messages,
    previousSummary: over.previousSummary ?? null,
    template: over.template ?? handoffTemplate,
    focusTopic: over.focusTopic ?? null,
  };
  return (await extractive().summarize({ prompt: '', budgetTokens, material })).text;
};

const work: Message[] = [
  user('Make the cache in src/cache.ts expire. Always run `pnpm check` before a commit. Why does it grow?'),
  assistant('I look at it first.', call('c1', 'read_file', { path: 'src/cache.ts' })),
  result('c1', 'export const maxEntries = 512;\nexport const ttlSeconds = 0;'),
  assistant(
    'It grows because ttlSeconds is 0, so nothing ever expires. I decided to use 300 instead of 60 because sessions last that long.',
  ),
  assistant(
    null,
    call('c2', 'bash', { command: 'cd /repo/app && git checkout -b cache-ttl && pnpm vitest run cache' }),
  ),
  result(
    'c2',
    "Switched to a new branch 'cache-ttl'\nError: expected 300 to be 0\n      Tests  1 failed | 7 passed (8)",
  ),
  assistant(null, call('c3', 'edit_file', { path: 'src/cache.ts', old: 'ttlSeconds = 0', new: 'ttlSeconds = 300' })),
  result('c3', 'edited'),
  assistant(
    null,
    call('c4', 'todo_write', {
      todos: [
        { content: 'Update the docs', status: 'pending' },
        { content: 'Set the ttl', status: 'completed' },
        { content: 'Fix the cache test', status: 'in_progress' },
      ],
    }),
  ),
  result('c4', 'ok'),
];

describe('the offline summary', () => {
  it('has actions, excerpts and facts', async () => {
    const text = await write(work, 1_200);
    const [task, goal, rules, log, actions, state, , blocked, decisions, answered, , files, remaining] = parseSummary(
      text,
      handoffTemplate,
    ).sections;
    expect(task).toBe(
      'Make the cache in src/cache.ts expire. Always run `pnpm check` before a commit. Why does it grow?',
    );
    expect(goal).toBe('Message 1 of the user states it.');
    expect(rules).toBe('- Always run `pnpm check` before a commit.');
    expect(log).toMatch(/^1\. Make the cache in src\/cache\.ts expire\./);
    expect(actions).toContain('1. src/cache.ts [tool: read_file]');
    expect(actions).toContain('pnpm vitest run cache - Error: expected 300 to be 0 [tool: bash]');
    expect(state).toContain('- cwd: /repo/app\n- branch: cache-ttl');
    expect(state).toContain('`vitest` failed: Tests  1 failed | 7 passed (8)');
    expect(blocked).toContain('- Error: expected 300 to be 0');
    expect(decisions).toContain('- I decided to use 300 instead of 60 because sessions last that long.');
    expect(`${log}\n${decisions}\n${answered}`).toContain('It grows because ttlSeconds is 0, so nothing ever expires.');
    expect(files).toMatch(/^- src\/cache\.ts - edited once/);
    expect(remaining).toBe(
      '- Fix the cache test (in progress)\n- Update the docs\n- 1 of 3 items of the task list are done: Set the ttl',
    );
    expect(text).toContain('ttlSeconds = 0');
  });

  it('fits other templates, custom ones included', async () => {
    const own = { name: 'own', sections: [{ heading: 'What we know', ask: 'All.', empty: '-' }] };
    for (const template of [compactionTemplate, resumptionTemplate, own]) {
      const text = await write(work, 500, { template });
      expect(parseSummary(text, template)).toMatchObject({ missing: [], repeated: [], preface: '' });
      expect(text).toContain('Make the cache in src/cache.ts expire.');
      expect(text).toContain('Always run `pnpm check`');
    }
  });

  it('keeps more about a focus topic', async () => {
    const many = Array.from({ length: 60 }, (_, at): Message[] => [
      assistant(null, call(`f${at}`, 'read_file', { path: `src/part-${at}.ts` })),
      result(`f${at}`, `${at % 10 === 0 ? 'the retry policy' : 'the ordinary thing'} number ${at} holds value_${at}`),
    ]).flat();
    const count = (text: string): number => text.match(/the retry policy number/g)?.length ?? 0;
    const messages = [user('Go on.'), ...many];
    expect(count(await write(messages, 500, { focusTopic: 'retry policy' }))).toBeGreaterThan(
      count(await write(messages, 500)),
    );
  });

  it('quotes a file that was read twice only once if the budget is small', async () => {
    const listing = (from: number): string =>
      Array.from({ length: 40 }, (_, row) => `${from + row}\t  const slot_${row} = table_${row}.open(${row});`).join(
        '\n',
      );
    const messages = [
      user('Why is slot_7 slow?'),
      assistant(null, call('r1', 'read_file', { path: 'src/slots.ts' })),
      result('r1', listing(1)),
      assistant(null, call('r2', 'read_file', { path: 'src/slots.ts', offset: 9 })),
      result('r2', listing(9)),
    ];
    const slots = (text: string): string[] => text.match(/const slot_\d+ /g) ?? [];
    const short = slots(await write(messages, 540));
    expect(short.length).toBeGreaterThan(25);
    expect(short.length - new Set(short).size).toBeLessThan(3);
    expect(slots(await write(messages, 4_000)).length).toBeGreaterThanOrEqual(80);
  });

  it('quotes a listing without its line numbers, and marks what is left out between lines', async () => {
    const lines = Array.from({ length: 80 }, (_, at) =>
      at % 7 < 3 ? `openLedger${at}(readLedger${at});` : 'and nothing else to be seen in this row of words',
    );
    const listing = lines.map((line, at) => `${String(at + 100).padStart(6)}\u2192${line}`).join('\n');
    const text = await write(
      [user('Make readLedger1 faster.'), assistant(null, call('a', 'Read', { path: 'a.ts' })), result('a', listing)],
      600,
    );
    const source =
      />>> .*a\.ts.*:(\d+)-(\d+)\n([^`]*)/.exec(text) ?? /action 1 \(Read\):(\d+)-(\d+)\n([^`]*)/.exec(text)!;
    const runs = source[3]!.trimEnd().split('\n[...]\n');
    expect(runs.length).toBeGreaterThan(1);
    for (const run of runs) expect(lines.join('\n')).toContain(run);
    expect(lines[Number(source[1]) - 100]).toBe(runs[0]!.split('\n')[0]);
    expect(lines[Number(source[2]) - 100]).toBe(runs.at(-1)!.split('\n').at(-1));
  });

  it('keeps the budget and is deterministic for any transcript, with all sections if there is room', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript(), fc.integer({ min: 300, max: 3_000 }), async (messages, budget) => {
        const text = await write(messages, budget);
        expect(parseSummary(text, handoffTemplate).repeated).toEqual([]);
        if (budget > 1_500) expect(parseSummary(text, handoffTemplate).missing).toEqual([]);
        expect(estimateTokens(text)).toBeLessThanOrEqual(budget);
        expect(await write(messages, budget)).toBe(text);
        const next = await write(messages, budget, { previousSummary: text });
        expect(parseSummary(next, handoffTemplate).repeated).toEqual([]);
        expect(estimateTokens(next)).toBeLessThanOrEqual(budget);
      }),
      { numRuns: process.env.PALIMPSEST_DEEP ? 1_000 : 40 },
    );
  });

  it('never splits a surrogate pair', async () => {
    const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
    for (const shift of ['', '.'])
      for (const budget of [60, 200, 1_000, 4_000]) {
        const long = shift + '\u{1f4c1}'.repeat(900);
        const messages = [
          user(`${long}\nWhy is it so slow?`),
          assistant(`${long}.`),
          user('Go on.'),
          assistant(null, call('a', 'bash', { command: `cat ${long}` }), call('b', 'read_file', { path: long })),
          result('a', `${long}\nError: ${long}`),
          result('b', `  ${long}`),
          assistant(null, call('c', 'note', `plain ${long}`)),
        ];
        expect(await write(messages, budget)).not.toMatch(half);
      }
  });

  it('stays well-formed with a transcript full of headings and fences', async () => {
    const hostile = ['## Goal', '```', '~~~~', '## Active Task', '>>> read x', '1. one', '**Blocked**', '````'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...hostile, 'value_1 = 2', ''), { maxLength: 12 }), { maxLength: 8 }),
        async (texts) => {
          const messages = texts.map((lines, at) =>
            at % 2 === 0 ? user(lines.join('\n')) : assistant(lines.join('\n')),
          );
          let text = await write(messages, 900);
          for (let round = 0; round < 2; round++) {
            expect(parseSummary(text, handoffTemplate)).toMatchObject({ missing: [], repeated: [] });
            text = await write(messages, 900, { previousSummary: text });
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

const folder = fileURLToPath(new URL('../../../../shared/transcripts', import.meta.url));
const there = existsSync(folder);

describe('on real transcripts', () => {
  it.skipIf(!there)(
    'writes all sections within the budget, in the language of the user (skipped without ../shared)',
    async () => {
      const counter = createTokenCounter();
      const names = readdirSync(folder).filter((name) => name !== 'INDEX.json');
      const some = process.env.PALIMPSEST_DEEP
        ? names
        : names.filter((_, index) => index % 6 === 0 || names[index]!.includes('-ja-'));
      for (const name of some) {
        const { messages } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as { messages: Message[] };
        const text = await write(messages, 4_000);
        expect(parseSummary(text, handoffTemplate), name).toMatchObject({ missing: [], repeated: [] });
        expect(counter.countText(text), name).toBeLessThanOrEqual(4_000 * 1.02);
        if (name.includes('-ja-')) expect(text, name).toMatch(/[\u3040-\u30ff]{6}/);
      }
    },
  );
});

it('a question that got no answer is pending until three later requests are closed', async () => {
  const turn = (at: number): Message[] => [
    user(`Please add step ${at}.`),
    assistant(null, call(`w${at}`, 'write_file', { path: `src/step-${at}.ts`, content: `export const step = ${at};` })),
    result(`w${at}`, 'ok'),
    assistant(`Done: step ${at} is in place.`),
  ];
  const asked = [
    user(
      `Add step 0. ${'It reads one more file. '.repeat(60)}Should the old code stay for reference? ${'It is long. '.repeat(6)}`,
    ),
    assistant(null, call('r', 'read_file', { path: 'src/old.ts' })),
    result('r', 'export const old = 1;'),
  ];
  const pending = async (turns: number): Promise<string | undefined> => {
    const later = Array.from({ length: turns }, (_, at) => turn(at + 1)).flat();
    return parseSummary(await write([...asked, ...later], 1_000), handoffTemplate).sections[10];
  };
  expect(await pending(2)).toContain('Should the old code stay for reference?');
  expect(await pending(3)).toBe('None.');
});
