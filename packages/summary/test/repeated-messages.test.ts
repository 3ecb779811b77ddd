import { assistant, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { bodyOf, sectionOf, write } from './writing.ts';

describe('the list of the messages of the user, with little room', () => {
  const facts = [
    'I am allergic to peanuts.',
    'Our oven only goes up to 180 degrees.',
    'No, the guests come on Friday.',
  ];
  const filler = (day: number): string =>
    `${day % 2 ? 'And what' : 'and, WHAT'} could we cook for dinner on day ${day} of the plan, something quick?`;
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
      const log = sectionOf(previousSummary, 'User Messages');
      // The newest of the repetitions stays, and what room is left is for the others.
      expect(log).toContain(round === 0 ? 'day 79' : round === 1 ? 'day 39' : 'day 59');
      expect(log.match(/ could we cook /g)!.length).toBeLessThan(30);
      for (const fact of facts) expect(log).toContain(fact);
    }
  });
});
