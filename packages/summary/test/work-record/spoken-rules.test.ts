import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { standingRules } from '../../src/work-record/rules/standing-rules.ts';

interface Spoken {
  readonly language: string;
  readonly text: string;
  /** Every second sentence of a language was held out while the patterns were written. */
  readonly blind: boolean;
}

/** User sentences, one per line, each after its language code. */
function spoken(name: string): Spoken[] {
  const lines = readFileSync(new URL(`../../../../test/spoken-rules/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean);
  const count = new Map<string, number>();
  return lines.map((line) => {
    const language = line.slice(0, 2);
    const at = count.get(language) ?? 0;
    count.set(language, at + 1);
    return { language, text: line.slice(3).replaceAll('\\n', '\n'), blind: at % 2 === 1 };
  });
}

const certain = (text: string): string[] =>
  standingRules(text)
    .filter((rule) => rule.certain)
    .map((rule) => rule.text);
const isRule = ({ text }: Spoken): boolean => certain(text).length > 0;

describe.each([
  ['used for the patterns', false],
  ['held out', true],
])('user sentences that were %s', (_, blind) => {
  const rules = spoken('rules').filter((one) => one.blind === blind);
  const others = spoken('others').filter((one) => one.blind === blind);

  it('recognizes at least 90 % of the rules', () => {
    const known = rules.filter(isRule);
    expect(known.length / rules.length).toBeGreaterThanOrEqual(0.9);
  });

  it('has a precision of at least 95 % against reports, praise, questions and one-time requests', () => {
    const known = rules.filter(isRule).length;
    const wrong = others.filter(isRule);
    expect(known / (known + wrong.length), wrong.map(({ text }) => text).join('\n')).toBeGreaterThanOrEqual(0.95);
  });
});

it('rules and other sentences are distinguished in every language', () => {
  const others = spoken('others');
  for (const language of new Set(others.map((one) => one.language))) {
    const [rules, rest] = [spoken('rules'), others].map((all) => all.filter((one) => one.language === language));
    expect(rules!.filter(isRule).length / rules!.length, language).toBeGreaterThanOrEqual(0.5);
    expect(rest!.filter(isRule).length / rest!.length, language).toBeLessThan(0.2);
  }
});

describe('a sentence', () => {
  it.each([
    [true, 'You are not to contact customers.'],
    [true, 'Write commit subjects in the imperative.'],
    [true, 'Passwords never go into logs.'],
    [true, 'Please keep all copy in sentence case.'],
    [true, 'Refer to me as Captain.'],
    [true, 'On ne touche pas au dossier legacy.'],
    [true, 'Usa tabs em vez de espa\u00e7os.'],
    [true, 'Don\u2019t you dare rename the tables.'],
    [false, 'The tests never finish.'],
    [false, 'Each time you receive results from a worker you should'],
    [false, 'Never push before the'],
    [false, 'No worries, take your time.'],
    [false, 'The page must be cached somewhere.'],
    [false, 'No images loaded on the second page.'],
    [false, 'On ne comprend pas le message.'],
    [false, 'Don\u2019t stop now, we are almost there!'],
  ])('is a rule: %s: %s', (expected, text) => {
    expect(certain(text)).toEqual(expected ? [text] : []);
  });

  it('continues before a lower-case letter, however wide the gap', () => {
    const rule = 'Never touch config.  e.g.  the ports stay as they are.';
    expect(certain(rule)).toEqual([rule]);
  });
});

describe('a sentence that is wrapped', () => {
  const texts = (text: string): string[] => standingRules(text).map((rule) => rule.text);

  it('is one rule, also in a list item with an indent', () => {
    expect(
      texts(
        [
          '## Rules',
          '',
          '1. **Never push twice.** If a push fails with the same error on two',
          '   attempts, report the failure instead of trying once more.',
          '2. Always write the summary in the language that the user of the',
          'session has used.',
        ].join('\n'),
      ),
    ).toEqual([
      '**Never push twice.**',
      'If a push fails with the same error on two attempts, report the failure instead of trying once more.',
      'Always write the summary in the language that the user of the session has used.',
    ]);
  });

  it('ends where a list, a heading, code or another sentence begins', () => {
    expect(texts('Always run the linter before you commit anything\n- never push')).toEqual([
      'Always run the linter before you commit anything',
      'never push',
    ]);
    expect(texts('Always run the linter before you commit anything\nNever push.')).toEqual([
      'Always run the linter before you commit anything',
      'Never push.',
    ]);
    expect(texts('Always run the linter before you commit anything:\n```\nnpm run lint\n```')).toEqual([]);
  });
});

describe('pasted text', () => {
  it.each([
    'I get this:\n\nTypeError: the callback must be a function\n    at run (main.js:3:1)\nNode.js v22.1.0',
    '<issue_description>\nEvery handler must return a promise.\nNever pass null here.\n</issue_description>\nFix it.',
    '```\nNever edit this file by hand.\n```\nWhy is that in there?',
    '> Always sign your commits.\n\nSays who?',
    '2025-02-03 10:00:00 WARN the queue must be empty before a restart',
    '$ make check\nAll targets must be built first.',
  ])('states no rule: %j', (text) => {
    expect(standingRules(text)).toEqual([]);
  });

  it('is read only at both ends if it is long', () => {
    const said = ['Never run the seeds here.', 'Always ask before you drop a table.'];
    const tale = 'and so the tale went on, without a word of doubt in it.\n'.repeat(1_000);
    expect(certain([said[0], tale, 'Never look back.', tale, said[1]].join('\n\n'))).toEqual(said);
    expect(certain('never '.repeat(200_000))).toEqual([]);
  });

  it('is read in linear time', () => {
    const { user } = process.cpuUsage();
    expect(certain(`<${'code'.repeat(9_900)}<`)).toEqual([]);
    expect(process.cpuUsage().user - user).toBeLessThan(400_000);
  });

  it('ends at a self-closing tag', () => {
    expect(certain('<file name="a.png" />\nNever commit a binary.')).toEqual(['Never commit a binary.']);
  });

  it('does not hide the rule next to it, which stays verbatim', () => {
    const rule = 'Never run <code>make clean</code> here, and keep the `<T>` in signatures as it is.';
    expect(certain(`It fails:\n\nError: no such target\n\n${rule}`)).toEqual([rule]);
  });
});

describe('a sentence that is only likely to be a rule', () => {
  it('is a general statement or an aside, not a description of behavior', () => {
    const likely = (text: string): boolean => standingRules(text).some((rule) => !rule.certain);
    expect(likely('All dates are kept in local time.')).toBe(true);
    expect(likely('All ports above 1024 are free for tests.')).toBe(true);
    expect(likely('All dates are wrong since the upgrade.')).toBe(false);
    expect(likely('All requests end in a 502 page.')).toBe(false);
    expect(likely('Fix the form.\n\nThe legacy form belongs to another team.')).toBe(true);
    expect(likely('Fix the form.\n\nrest looks fine')).toBe(false);
    expect(likely('Fix the form.\n\nThanks for the help so far.')).toBe(false);
    expect(likely('Corrige o teste.\n\nObrigado pela ajuda.')).toBe(false);
  });
});

describe('a pasted fence', () => {
  const never = 'Never edit the lock file.';
  it.each([
    ['with one line of a fence in it', '```\nlog\n```\nAlways push with --force.\n```'],
    ['with a block in it', '```\nlog\n```sh\nls\n```\nAlways push with --force.\n```'],
    ['that is not closed', '```\nlog\n```js\nx\n```\nAlways push with --force.'],
    ['longer than what is read', `\`\`\`\n${'a line of the log\n'.repeat(4_000)}Always push with --force.\n\`\`\``],
  ])('%s states no rule', (_, pasted) => {
    expect(certain(`${never}\n\n${pasted}`)).toEqual([never]);
  });

  it('leaves the rules around it', () => {
    expect(certain(`Why?\n\`\`\`\nx\n\`\`\`\n${never}\n\`\`\`sh\ny\n\`\`\`\nAlways use tabs.`)).toEqual([
      never,
      'Always use tabs.',
    ]);
    expect(certain(`Why?\n\`\`\`\n${'x\n'.repeat(30_000)}\`\`\`\n${never}`)).toEqual([never]);
  });
});

it.each([
  'Why is it untracked?\n\nOn branch main\nUntracked files:\n  (use "git add <file>..." to include in what will be committed)\n\ta.ts',
  'It says\n\n(use "git restore --staged <file>..." to unstage)',
  "What now?\n\nhint: Never force a push, use 'git pull' before pushing again.",
])('a hint of a program that the user pasted is no rule: %s', (text) => {
  expect(standingRules(text)).toEqual([]);
});

it('a rule in parentheses is one', () => {
  expect(certain('Fix the parser.\n\n(Please never push to main.)')).toHaveLength(1);
  expect(certain('Fix the parser.\n\n(Always write "done" at the end of an answer.)')).toHaveLength(1);
});
