import type { Message } from '@palimpsest/core';
import { assistant, call, result, scriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { handoffTemplate, parseSummary } from '../src/index.ts';
import { bodyOf, filler, recordOf, type Writing, write } from './writing.ts';

describe('a sentence that is only likely to be a rule', () => {
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

  it('is listed after the rules, as mentioned by the user', async () => {
    const listed = ['- Never open the vault.', '- Mentioned by the user: Tea is served at four.'];
    expect(await rulesOf('Tea is served at four. Never open the vault.')).toEqual(listed);
    expect(await rulesOf('Tea is served at four. Never open the vault.', forgetful())).toEqual(listed);
  });

  it('is dropped before any rule', async () => {
    const tea = Array.from({ length: 25 }, (_, hour) => `Tea number ${hour} is served in the small hall at four.`);
    const vaults = Array.from({ length: 10 }, (_, number) => `Never open the vault with number ${number}.`);
    const listed = await rulesOf([...tea, ...vaults].join(' '), { ...forgetful(), budgetTokens: 1 });
    expect(listed.slice(0, vaults.length)).toEqual(vaults.map((rule) => `- ${rule}`));
    expect(listed.length).toBeGreaterThan(vaults.length);
    expect(listed.length).toBeLessThan(tea.length);
  });

  it('is listed the same way in the next summary', async () => {
    const listed = ['- Never open the vault.', '- Mentioned by the user: Tea is served at four.'];
    const previousSummary = recordOf({ 'Constraints & Preferences': listed.toReversed().join('\n') });
    expect(await rulesOf('Good morning.', { ...forgetful(), previousSummary })).toEqual(listed);
    expect(await rulesOf('Good morning.', { previousSummary })).toEqual(listed);
  });
});
