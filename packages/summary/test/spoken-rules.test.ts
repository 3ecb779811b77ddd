import { readFileSync } from 'node:fs';
import type { Message } from '@palimpsest/core';
import { assistant, call, result, scriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { standingRules } from '../src/grounding/standing-rules.ts';
import { handoffTemplate, parseSummary } from '../src/index.ts';
import { bodyOf, filler, recordOf, type Writing, write } from './writing.ts';

interface Spoken {
  readonly language: string;
  readonly text: string;
  /** Every second sentence of a language was not looked at while the recogniser was written. */
  readonly blind: boolean;
}

/** Sentences of users by language, one a line. */
function spoken(name: string): Spoken[] {
  const lines = readFileSync(new URL(`spoken/${name}.txt`, import.meta.url), 'utf8')
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

const sure = (text: string): string[] =>
  standingRules(text)
    .filter((rule) => rule.sure)
    .map((rule) => rule.text);
const isTaken = ({ text }: Spoken): boolean => sure(text).length > 0;

describe.each([
  ['looked at', false],
  ['held aside', true],
])('sentences of users that were %s', (_, blind) => {
  const rules = spoken('rules').filter((one) => one.blind === blind);
  const others = spoken('others').filter((one) => one.blind === blind);

  it('are known as rules where they are rules', () => {
    const known = rules.filter(isTaken);
    expect(known.length / rules.length).toBeGreaterThanOrEqual(0.9);
  });

  it('are no rules where they report, praise, ask, or want something once', () => {
    const known = rules.filter(isTaken).length;
    const wrong = others.filter(isTaken);
    expect(known / (known + wrong.length), wrong.map(({ text }) => text).join('\n')).toBeGreaterThanOrEqual(0.95);
  });
});

it('every language has rules and others that are told apart', () => {
  const others = spoken('others');
  for (const language of new Set(others.map((one) => one.language))) {
    const [rules, rest] = [spoken('rules'), others].map((all) => all.filter((one) => one.language === language));
    expect(rules!.filter(isTaken).length / rules!.length, language).toBeGreaterThanOrEqual(0.5);
    expect(rest!.filter(isTaken).length / rest!.length, language).toBeLessThan(0.2);
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
    [false, 'No worries, take your time.'],
    [false, 'The page must be cached somewhere.'],
    [false, 'No images loaded on the second page.'],
    [false, 'On ne comprend pas le message.'],
    [false, 'Don\u2019t stop now, we are almost there!'],
  ])('is a rule: %s: %s', (isRule, text) => {
    expect(sure(text)).toEqual(isRule ? [text] : []);
  });

  it('goes on where a small letter follows, however wide the gap', () => {
    const rule = 'Never touch config.  e.g.  the ports stay as they are.';
    expect(sure(rule)).toEqual([rule]);
  });
});

describe('what a user pasted', () => {
  it.each([
    'I get this:\n\nTypeError: the callback must be a function\n    at run (main.js:3:1)\nNode.js v22.1.0',
    '<issue_description>\nEvery handler must return a promise.\nNever pass null here.\n</issue_description>\nFix it.',
    '```\nNever edit this file by hand.\n```\nWhy is that in there?',
    '> Always sign your commits.\n\nSays who?',
    '2025-02-03 10:00:00 WARN the queue must be empty before a restart',
    '$ make check\nAll targets must be built first.',
  ])('is nobody\u2019s rule: %j', (text) => {
    expect(standingRules(text)).toEqual([]);
  });

  it('is not read through where it is long', () => {
    const said = ['Never run the seeds here.', 'Always ask before you drop a table.'];
    const tale = 'and so the tale went on, without a word of doubt in it.\n'.repeat(1_000);
    expect(sure([said[0], tale, 'Never look back.', tale, said[1]].join('\n\n'))).toEqual(said);
    expect(sure('never '.repeat(200_000))).toEqual([]);
  });

  it('is read in time that grows with it', () => {
    const { user } = process.cpuUsage();
    expect(sure(`<${'code'.repeat(9_900)}<`)).toEqual([]);
    expect(process.cpuUsage().user - user).toBeLessThan(400_000);
  });

  it('ends where it began when it is an empty tag', () => {
    expect(sure('<file name="a.png" />\nNever commit a binary.')).toEqual(['Never commit a binary.']);
  });

  it('does not hide the rule beside it, which stays as it was written', () => {
    const rule = 'Never run <code>make clean</code> here, and keep the `<T>` in signatures as it is.';
    expect(sure(`It fails:\n\nError: no such target\n\n${rule}`)).toEqual([rule]);
  });
});

describe('a sentence that may be meant to last', () => {
  const after: Message[] = [
    assistant('Understood.'),
    user('Make the parser accept empty input.'),
    assistant('Reading it.', call('a', 'read_file', { path: 'src/parser.ts' })),
    result('a', `export const parse = 1;\n${filler}`),
  ];
  const at = handoffTemplate.sections.findIndex(({ heading }) => heading === 'Constraints & Preferences');
  const rulesOf = async (said: string, over: Writing = {}): Promise<string[]> =>
    parseSummary(await bodyOf(write([user(said), ...after], over)), handoffTemplate).sections[at]!.split('\n');
  const forgetful = (): Writing => ({ summarizer: scriptedSummarizer([recordOf()]) });

  it('is listed behind the rules, as what was mentioned', async () => {
    const listed = ['- Never open the vault.', '- Mentioned by the user: Tea is served at four.'];
    expect(await rulesOf('Tea is served at four. Never open the vault.')).toEqual(listed);
    expect(await rulesOf('Tea is served at four. Never open the vault.', forgetful())).toEqual(listed);
  });

  it('goes before a rule does', async () => {
    const tea = Array.from({ length: 25 }, (_, hour) => `Tea number ${hour} is served in the small hall at four.`);
    const vaults = Array.from({ length: 10 }, (_, number) => `Never open the vault with number ${number}.`);
    const listed = await rulesOf([...tea, ...vaults].join(' '), { ...forgetful(), budgetTokens: 1 });
    expect(listed.slice(0, vaults.length)).toEqual(vaults.map((rule) => `- ${rule}`));
    expect(listed.length).toBeGreaterThan(vaults.length);
    expect(listed.length).toBeLessThan(tea.length);
  });

  it('is still only mentioned in the next summary', async () => {
    const listed = ['- Never open the vault.', '- Mentioned by the user: Tea is served at four.'];
    const previousSummary = recordOf({ 'Constraints & Preferences': listed.toReversed().join('\n') });
    expect(await rulesOf('Good morning.', { ...forgetful(), previousSummary })).toEqual(listed);
    expect(await rulesOf('Good morning.', { previousSummary })).toEqual(listed);
  });

  it('tells how things are for all of a kind, not how they behave', () => {
    const likely = (text: string): boolean => standingRules(text).some((rule) => !rule.sure);
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
