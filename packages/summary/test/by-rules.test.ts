import type { Message } from '@palimpsest/core';
import { arbitraryTranscript, assistant, call, result, system, user } from '@palimpsest/testkit';
import { createTokenCounter, estimateTokens } from '@palimpsest/tokens';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactionTemplate, extractive, handoffTemplate, parseSummary, resumptionTemplate } from '../src/index.ts';
import { bodyOf, filler, sectionOf, write } from './writing.ts';

const templates = [
  handoffTemplate,
  compactionTemplate,
  resumptionTemplate,
  { name: 'own', sections: [{ heading: 'Notes', ask: 'All.' }] },
];

const byRules = async (
  messages: readonly Message[],
  budgetTokens: number,
  over: { previousSummary?: string; template?: typeof handoffTemplate; focusTopic?: string } = {},
): Promise<string> => {
  const material = { messages, previousSummary: null, template: handoffTemplate, focusTopic: null, ...over };
  return (await extractive().summarize({ prompt: '', budgetTokens, material })).text;
};

const work: Message[] = [
  user('Make the cache in src/cache.ts expire. Always run `pnpm check` before a commit. Why does it grow?'),
  assistant('I look at it first.', call('c1', 'read_file', { path: 'src/cache.ts' })),
  result('c1', 'export const maxEntries = 512;\nexport const ttlSeconds = 0;'),
  assistant(
    'It grows because ttlSeconds is 0, so nothing ever expires.\n\n- 300 instead of 60, because sessions last that long.',
  ),
  user('Good. Then do it.'),
  assistant(
    null,
    call('c2', 'bash', { command: 'cd /repo/app && git checkout -b cache-ttl && pnpm vitest run cache' }),
  ),
  result(
    'c2',
    "Switched to a new branch 'cache-ttl'\nError: expected 300 to be 0\n      Tests  1 failed | 7 passed (8)",
  ),
  assistant(
    null,
    call('c3', 'edit_file', {
      path: 'src/cache.ts',
      old_string: 'ttlSeconds = 0',
      new_string: 'ttlSeconds = 300;\nexport const grace = 5;',
    }),
  ),
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

describe('a handoff by rules', () => {
  it('has the words of both, the work as it was, files, verdicts, the task list, and quotations', async () => {
    const text = await byRules(work, 1_500);
    expect(sectionOf(text, 'Active Task')).toBe('Good. Then do it.');
    expect(sectionOf(text, 'Constraints & Preferences')).toBe('- Always run `pnpm check` before a commit.');
    expect(sectionOf(text, 'User Messages').split('\n')).toEqual([
      '1. Make the cache in src/cache.ts expire. Always run `pnpm check` before a commit. Why does it grow?',
      '- Agent: It grows because ttlSeconds is 0, so nothing ever expires.',
      '    - 300 instead of 60, because sessions last that long.',
      '2. Good. Then do it.',
    ]);
    expect(sectionOf(text, 'Completed Actions')).toContain('    export const grace = 5;');
    expect(sectionOf(text, 'Completed Actions')).toMatch(
      /- bash cd \/repo\/app && .* run cache -> Error: expected 300 to be 0/,
    );
    expect(sectionOf(text, 'Active State')).toContain('`vitest` failed: ');
    expect(sectionOf(text, 'Active State')).toContain('last branch: cache-ttl');
    expect(sectionOf(text, 'Relevant Files')).toContain('- src/cache.ts - edited once');
    expect(sectionOf(text, 'Remaining Work').split('\n')).toEqual([
      '- Fix the cache test (in progress)',
      '- Update the docs',
      '- 1 of 3 items of the task list are done: Set the ttl',
    ]);
    expect(sectionOf(text, 'Critical Context')).toContain('export const maxEntries = 512;');
  });

  it('leaves out sections without content', async () => {
    const text = await byRules([user('Hello.'), assistant('Good morning.')], 400);
    expect(text.match(/^## .*/gm)).toEqual(['## Active Task', '## User Messages']);
    expect(text).not.toContain('None.');
  });

  it('keeps the newest words of the agent whole when there is little room', async () => {
    const long = (at: number): string =>
      `Answer ${at}.\n\n${`It has ${at} reasons, each of them good. `.repeat(12)}\n\nEnd of ${at}.`;
    const messages = Array.from({ length: 12 }, (_, at) => [
      user(`Question ${at} about the parser?`),
      assistant(long(at)),
    ]).flat();
    const told = sectionOf(await byRules(messages, 1_600), 'User Messages');
    for (let at = 0; at < 12; at++) expect(told).toContain(`Question ${at} about the parser?`);
    expect(told).toContain('End of 11.');
    expect(told).not.toContain('End of 0.');
  });

  it('tells what the user answered to tools', async () => {
    const asked = {
      questions: [
        {
          question: 'Which store?',
          header: 'Store',
          options: [
            { label: 'Redis', description: '' },
            { label: 'Files', description: '' },
          ],
          multiSelect: false,
        },
      ],
    };
    const messages = [
      system("You are Claude Code, Anthropic's official CLI for Claude."),
      user('Add a cache.'),
      assistant(null, call('q', 'AskUserQuestion', asked)),
      result(
        'q',
        'User has answered your questions: "Which store?"="Redis". You can now continue with the user\'s answers in mind.',
      ),
      assistant('Redis it is.'),
    ];
    expect(sectionOf(await byRules(messages, 800), 'User Messages')).toContain(
      '- Answered by the user: Redis (asked: Which store?)',
    );
  });

  it('tells that a call which the user refused did nothing', async () => {
    const refusal =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
    const write = call('w1', 'Write', { file_path: '/repo/.cz.toml', content: 'name = "cz"\nversion = 1' });
    const text = await byRules([user('Make the scope required.'), assistant(null, write), result('w1', refusal)], 800);
    expect(sectionOf(text, 'Completed Actions')).toContain("Write /repo/.cz.toml -> The user doesn't want to proceed");
    expect(text).not.toContain('version = 1');
    expect(sectionOf(text, 'Relevant Files')).not.toContain('.cz.toml');
    const edit = call('e1', 'edit', { filePath: '/repo/a.ts', oldString: 'a', newString: 'b' });
    const ran = call('r1', 'bash', { command: 'npm test' });
    const other = await byRules(
      [
        user('Go.'),
        assistant(null, edit),
        result('e1', 'The user rejected permission to use this specific tool call.'),
        assistant(null, ran),
        result('r1', 'User said hello\n      Tests  1 failed | 7 passed (8)'),
      ],
      800,
    );
    expect(sectionOf(other, 'Completed Actions')).toContain('-> The user rejected permission');
    // Output of a program that begins like an answer of the user.
    expect(sectionOf(other, 'Completed Actions')).not.toContain('-> User said');
    expect(sectionOf(other, 'Active State')).toContain('1 failed');
  });

  it('tells that a run passed although its output shows the errors that a test provokes', async () => {
    const output =
      'src/limit.test.ts:\n89 | throw new Error("Item 3 failed");\nerror: Item 3 failed\n\n 1309 pass\n 0 fail';
    const text = await byRules(
      [
        user('Run everything.'),
        assistant(null, call('t', 'bash', { command: 'cd /repo && bun test 2>&1' })),
        result('t', output),
        assistant(null, call('m', 'bash', { command: 'bun test && ./deploy.sh' })),
        result('m', `${output}\nerror: no route to host`),
      ],
      800,
    );
    expect(sectionOf(text, 'Completed Actions')).toContain('- bash cd /repo && bun test 2>&1 -> 1309 pass');
    expect(sectionOf(text, 'Completed Actions')).toContain('error: no route to host');
    expect(sectionOf(text, 'Completed Actions')).not.toMatch(/2>&1 -> error/);
  });

  it('tells of no failed build where the harness did not make the call', async () => {
    const text = await byRules(
      [
        user('Check it.'),
        assistant(
          null,
          call('l', 'Bash', { command: 'npm run lint' }),
          call('b', 'Bash', { command: 'npm run build' }),
        ),
        result('l', 'Exit code 1\nsrc/a.ts:1:1 error: unused'),
        result('b', '<tool_use_error>Sibling tool call errored</tool_use_error>'),
      ],
      800,
    );
    expect(sectionOf(text, 'Active State')).not.toContain('build');
    expect(sectionOf(text, 'Completed Actions')).toContain('npm run build -> Sibling tool call errored');
  });

  it('gives a focus topic most of the room', async () => {
    const messages = [
      user('Look at everything.'),
      ...['ledger', 'printer', 'scanner'].flatMap((name) => [
        assistant(null, call(name, 'read_file', { path: `src/${name}.ts` })),
        result(
          name,
          Array.from({ length: 60 }, (_, at) => `export const ${name}Value${at} = compute(${at}, '${name}');`).join(
            '\n',
          ),
        ),
      ]),
    ];
    const count = (text: string): number => text.match(/export const printerValue/g)?.length ?? 0;
    expect(count(await byRules(messages, 900, { focusTopic: 'printer' }))).toBeGreaterThan(
      3 * count(await byRules(messages, 900)),
    );
  });

  it.each(templates)(
    'continues itself in the template $name: numbers, rules, files, verdicts and plan stay',
    async (template) => {
      const first = await byRules(work, 1_500, { template });
      const second = await byRules([user('Now the docs.'), assistant('Written.')], 1_500, {
        template,
        previousSummary: first,
      });
      const lines = second.split('\n');
      for (const line of [
        '- Always run `pnpm check` before a commit.',
        '2. Good. Then do it.',
        '3. Now the docs.',
        '- Update the docs',
      ])
        expect(lines.filter((one) => one === line)).toHaveLength(1);
      expect(second).toContain('- src/cache.ts - edited once');
      expect(second).toContain('`vitest` failed');
      expect(second).toContain('    export const grace = 5;');
    },
  );

  it('reads an earlier handoff of another engine, whatever its lines look like', async () => {
    for (const heading of ['User Messages', 'Completed Actions', 'Relevant Files', 'Critical Context']) {
      const previousSummary = `## ${heading}\n    an indented line\n- 70 other changed files: a.ts\n\n\`\`\`\n>>> x\n`;
      const text = await byRules([user('Hello.'), assistant('Good morning.')], 400, { previousSummary });
      expect(text).toContain('Good morning.');
    }
  });

  it('does not repeat what is both in the messages and in the previous summary', async () => {
    const first = await byRules(work, 1_500);
    const again = await byRules(work, 1_500, { previousSummary: first });
    for (const line of ['- Always run `pnpm check` before a commit.', '2. Good. Then do it.'])
      expect(again.split('\n').filter((one) => one === line)).toHaveLength(1);
  });

  it('keeps its budget, has no heading twice, and depends on nothing but its input', async () => {
    const counter = createTokenCounter();
    await fc.assert(
      fc.asyncProperty(
        arbitraryTranscript({ maxLength: 60 }),
        fc.integer({ min: 300, max: 3_000 }),
        fc.constantFrom(...templates),
        async (messages, budget, template) => {
          const countText = (text: string): number => counter.countText(text);
          const material = { messages, previousSummary: null, template, focusTopic: null };
          const { text } = await extractive({ countText }).summarize({ prompt: '', budgetTokens: budget, material });
          expect(parseSummary(text, template).repeated).toEqual([]);
          const { text: again } = await extractive({ countText }).summarize({
            prompt: '',
            budgetTokens: budget,
            material,
          });
          expect(again).toBe(text);
          // The user's rules are carried in any room.
          if (!text.includes('Constraints') && !text.includes('nstructions'))
            expect(countText(text)).toBeLessThanOrEqual(budget);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the user's rules", () => {
  it.each([
    'Stay away from the billing code.',
    'Nothing is merged without my approval.',
    'Two spaces, not four.',
    'N\u00e3o altere nada na pasta public.',
    'Nigdy nie zmieniaj plik\u00f3w w katalogu assets.',
    '\u0644\u0627 \u062a\u0639\u062f\u0644 \u0623\u064a \u0645\u0644\u0641 \u0623\u0628\u062f\u0627.',
    '\u4e0d\u8981\u4fee\u6539\u516c\u5171\u63a5\u53e3\u3002',
  ])('are carried in any budget: %s', async (rule) => {
    const body = await bodyOf(write([user(`Hello. ${rule} Thanks.`), ...work], { budgetTokens: 1 }));
    expect(sectionOf(body, 'Constraints & Preferences').split('\n')).toContain(`- ${rule}`);
  });

  const unknown = 'Serve tea at four.';
  it.each([
    ['in a list of rules', [user(`Rules:\n\n- ${unknown}\n\nNow fix the parser.`)]],
    ['under a heading', [user(`# Conventions\n\n${unknown}\n\n# Task\n\nFix the parser.`)]],
    ['among rules', [user(`Never guess. ${unknown} Always ask.`)]],
    ['as an aside', [user(`Fix the parser.\n\n${unknown}`)]],
    ['and was agreed to', [user(`Good morning. ${unknown}`), assistant('Understood.')]],
  ])('are found by their place: %s', async (_, said) => {
    const rules = sectionOf(await bodyOf(write([...said, ...work])), 'Constraints & Preferences');
    expect(rules).toContain(unknown);
    expect(rules).not.toContain('parser');
  });

  it('do not include descriptions', async () => {
    const said = ['No test failed in the end.', 'I have to leave at five.', 'We have to talk about the budget.'];
    const body = await bodyOf(write([user(said.join(' ')), assistant(filler)]));
    expect(sectionOf(body, 'Constraints & Preferences')).toBe('');
  });
});

it('a request that follows the handoff is identified in it, and its rules are not repeated', async () => {
  const wishes = Array.from({ length: 60 }, (_, at) => `In src/part_${at}.ts the field total_${at} is to be renamed.`);
  const messages = [user(`Never skip a test. ${wishes.join('\n')}`), assistant(filler)];
  const material = {
    messages,
    carried: [0],
    fromPerson: [0],
    kept: { before: { messages: [], fromPerson: [] }, after: { messages: [], fromPerson: [] } },
  };
  const request = {
    prompt: '',
    budgetTokens: 1_200,
    material: { ...material, previousSummary: null, template: handoffTemplate, focusTopic: null },
  };
  const { text } = await extractive().summarize(request);
  expect(sectionOf(text, 'Active Task')).toMatch(/^Never skip a test\.[\s\S]*characters after this summary/);
  expect(sectionOf(text, 'Constraints & Preferences')).toBe('');
  expect(wishes.filter((wish) => text.includes(wish)).length).toBeLessThan(5);
  expect(estimateTokens(text)).toBeLessThan(1_300);
});
