import fc from 'fast-check';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { scenarioFor } from '../scenario.ts';
import { call, callsWithResults, user } from '../transcripts/message-builders.ts';
import { autonomousWork, chat } from '../transcripts/transcript-examples.ts';

/** Fails an engine that never compacts. Such an engine passes every other case. */
export const makesRoom: CaseDefinition = {
  name: 'makes room: a long transcript far over its window gets smaller',
  examples: () => [],
  arbitrary: () =>
    fc
      .record({
        turns: fc.integer({ min: 16, max: 60 }),
        characters: fc.integer({ min: 2_000, max: 8_000 }),
        autonomous: fc.boolean(),
        pending: fc.boolean(),
        reminded: fc.boolean(),
      })
      .map(({ turns, characters, autonomous, pending, reminded }) => {
        const messages = autonomous
          ? autonomousWork(turns, characters)
          : [...chat(turns, characters), user('What is left to do?')];
        if (pending)
          messages.push(...callsWithResults([call('last', 'read_file', { path: 'src/last.ts' }), 'export {};']));
        if (reminded) messages.push(user('<system-reminder>The task list is empty.</system-reminder>'));
        return scenarioFor(messages, 0.4);
      }),
  async check(scenario, { create, hostParts }) {
    const { result } = await attempt(create, scenario, hostParts);
    if (!result) return;
    ensure(
      result.outcome === 'compacted' || result.outcome === 'degraded',
      () => `the outcome is "${result.outcome}": ${result.report.reason}`,
    );
    const { tokensBefore, tokensAfter } = result.report;
    ensure(tokensAfter <= tokensBefore * 0.9, () => `${tokensAfter} of ${tokensBefore} tokens are left, more than 90%`);
  },
};
