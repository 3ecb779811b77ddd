import { assistant, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';
import { hostInstructions } from '../../src/work-record/rules/host-instructions.ts';
import { readRules } from '../../src/work-record/rules/read-rules.ts';
import { messageIntent, openTasks } from '../../src/work-record/user-messages/open-tasks.ts';
import type { UserWords } from '../../src/work-record/user-messages/user-words.ts';

const said = (...texts: (readonly [index: number, text: string])[]): UserWords[] =>
  texts.map(([index, text]) => ({ index, text, carried: false }));
const open = (...texts: (readonly [index: number, text: string])[]): number[] =>
  openTasks(said(...texts)).map(({ index }) => index);

describe('the intent of a user message', () => {
  it.each([
    ['task', 'Fix the parser.'],
    ['task', `Thanks! ${'And now the next part of it. '.repeat(10)}`],
    ['thanks', 'Great, thank you!'],
    ['thanks', 'Vielen Dank'],
    ['agreement', 'yes, go ahead'],
    ['agreement', 'ok'],
    ['thanks', 'Thanks for your help!'],
    ['thanks', "Thanks, that's everything we wanted for today."],
    ['thanks', "No, that's all. I appreciate your help, have a great day!"],
    ['task', 'That is all wrong.'],
    ['task', 'Thanks for the draft, now shorten it.'],
    ['agreement', 'back online - continue'],
    ['agreement', 'The draft reads well. Continue!'],
    ['task', 'Fix the tests, and continue with the docs.'],
    ['task', 'Should we continue?'],
    ['withdrawal', 'Actually, never mind.'],
    ['withdrawal', "It's not worth the trouble... that's good enough. Let's move on."],
    ['task', 'Not worth it, use Redis.'],
    ['withdrawal', 'vergiss es'],
  ])('is %s: %s', (intent, text) => {
    expect(messageIntent(text)).toBe(intent);
  });
});

describe('open tasks', () => {
  it('are the newest one and those sent directly before it', () => {
    expect(open([0, 'Fix a.'], [2, 'Fix b.'])).toEqual([2]);
    expect(open([0, 'Fix a.'], [2, 'Fix b.'], [3, 'And c.'])).toEqual([2, 3]);
  });

  it('include the request that an agreement refers to', () => {
    expect(open([0, 'Fix a.'], [2, 'go ahead'])).toEqual([0, 2]);
  });

  it('are closed by thanks and by a withdrawal', () => {
    expect(open([0, 'Fix a.'], [2, 'thanks!'])).toEqual([]);
    expect(open([0, 'Fix a.'], [2, 'Fix b.'], [4, 'never mind'])).toEqual([]);
    expect(open([0, 'Fix a.'], [2, 'never mind'], [4, 'Fix b.'])).toEqual([4]);
  });
});

describe('host instructions', () => {
  it('are short system messages, a repeated one at its last position', () => {
    const system = (content: string) => ({ role: 'system' as const, content });
    const messages = [system('Be brief.'), system('x'.repeat(601)), system('Use\nJSON.'), system('Be brief.')];
    expect(hostInstructions(messages)).toEqual([
      { index: 2, text: 'Use JSON.' },
      { index: 3, text: 'Be brief.' },
    ]);
  });
});

describe('stated rules', () => {
  it('have the index of their message, wherever the same message is', () => {
    const rule = user('Never run the seeds.');
    const words = (index: number): UserWords => ({ index, text: 'Never run the seeds.', carried: false });
    expect(readRules(words(0), [rule])).toMatchObject([{ index: 0, certain: true }]);
    expect(readRules(words(1), [assistant('Hi.'), rule])).toMatchObject([{ index: 1, certain: true }]);
  });

  it('are likely if the agent only agreed to the message', () => {
    const text = 'Tea is served at four.';
    const words: UserWords = { index: 0, text, carried: false };
    expect(readRules(words, [user(text)])).toEqual([]);
    expect(readRules(words, [user(text), assistant('Understood.'), user('Fix the parser.')])).toEqual([
      { index: 0, text, certain: false },
    ]);
  });

  it('are likely no longer if the user withdraws the message', () => {
    const asked = 'See the list above.\n\nEach name would be easier to read on its own line.';
    const rules = (next: string): string[] =>
      readWorkRecord({ messages: [user(asked), assistant('I changed it.'), user(next)] }).rules.map(({ text }) => text);
    expect(rules('Now fix the parser.')).toContain('Each name would be easier to read on its own line.');
    expect(rules('Not worth it.')).toEqual([]);
  });
});
