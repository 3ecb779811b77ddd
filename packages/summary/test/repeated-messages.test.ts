import { assistant, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { expendableMessages } from '../src/record/repeated-messages.ts';
import { bodyOf, write } from './writing.ts';

describe('messages of the user that a list can lose first', () => {
  it('are repetitions, up to numbers, and messages without content', () => {
    const texts = [
      'What should I cook on day 1?',
      'I am allergic to peanuts.',
      'What should I cook on day 2?',
      'Continue.',
      'No, I meant the smaller pan, not the big one.',
      'Danke!',
      'what should I cook on day 3',
      'Ich esse kein Fleisch.',
    ];
    expect(texts.filter((_, at) => expendableMessages(texts)[at])).toEqual([
      'What should I cook on day 1?',
      'What should I cook on day 2?',
      'Continue.',
      'Danke!',
    ]);
  });
});

describe('the list of the messages of the user, with little room', () => {
  const facts = [
    'I am allergic to peanuts.',
    'Our oven only goes up to 180 degrees.',
    'No, the guests come on Friday.',
  ];
  const filler = (day: number): string =>
    `And what could we cook for dinner on day ${day} of the plan, something quick?`;
  const turns = Array.from({ length: 80 }, (_, at) => [
    user(at % 30 === 5 ? facts[(at - 5) / 30]! : filler(at)),
    assistant(`Noted. For day ${at}, a soup of vegetables with bread is quick.`),
  ]).flat();

  it('leaves out repetitions before facts and corrections, also through several summaries', async () => {
    let previousSummary: string | null = null;
    for (let round = 0; round < 3; round++) {
      const part = turns.slice((turns.length / 4) * round, (turns.length / 4) * (round + 1));
      const messages = round === 0 ? turns : part.map((message) => ({ ...message }));
      previousSummary = await bodyOf(
        write([...messages, user('Write the shopping list.')], { budgetTokens: 700, previousSummary }),
      );
      const log = previousSummary.split('## User Messages\n')[1]!.split('\n## ')[0]!;
      expect(log).toMatch(/earlier messages left out$/m);
      for (const fact of facts) expect(log).toContain(fact);
    }
  });
});
