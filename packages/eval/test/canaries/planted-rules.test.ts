import { contentText, type Message, validateTranscript } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { plantRules } from '../../src/canaries/planted-rules.ts';

const messages: readonly Message[] = [
  { role: 'user', content: 'Find the fault.' },
  { role: 'assistant', content: 'It is in parse.ts.' },
  { role: 'user', content: 'Mend it, please.' },
];

it('rules are planted where a user says them, without breaking the transcript', () => {
  const planted = plantRules(messages, 3);
  expect(planted.rules).toHaveLength(4);
  const said = planted.messages.filter(({ role }) => role === 'user');
  for (const rule of planted.rules)
    expect(
      said.some(({ content }) => contentText(content).includes(rule)),
      rule,
    ).toBe(true);
  expect(validateTranscript(planted.messages, { dialect: 'strict' })).toEqual([]);
});
