import type { Message } from '@palimpsest/core';
import { attempt, compactAgain, freshEngine, hostFor } from '../attempt.ts';
import { type CaseDefinition, ensure, resultOf } from '../case-definition.ts';
import { arbitraryScenario, type Scenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const idempotent: CaseDefinition = {
  name: 'invariant 7: compacting an already compacted transcript is a no-op',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const tried = await attempt(create, scenario, hostParts);
    const result = resultOf(tried, 7);
    if (!result || result.outcome === 'aborted') return;
    const snapshot = JSON.parse(JSON.stringify(tried.engine.snapshot()));
    await expectUnchanged(
      await compactAgain(tried.engine, tried.host, { ...scenario, messages: result.messages as Message[] }),
      'the same engine',
    );

    const parsed: Scenario = { ...scenario, messages: JSON.parse(JSON.stringify(result.messages)) };
    await expectUnchanged(
      await compactAgain(tried.engine, tried.host, parsed),
      'the same engine, given the output as parsed JSON',
    );
    const host = hostFor(scenario, hostParts);
    const restored = await freshEngine(create, host, scenario);
    await restored.restore(snapshot);
    await expectUnchanged(await compactAgain(restored, host, parsed), 'an engine restored from the snapshot');
  },
};

async function expectUnchanged(again: Awaited<ReturnType<typeof compactAgain>>, who: string): Promise<void> {
  const result = resultOf(again, 7);
  ensure(result !== null, () => `on already compacted output, ${who} gives no result: ${String(again.error)}`);
  ensure(
    result.outcome === 'unchanged' && result.messages === again.scenario.messages,
    () =>
      `on already compacted output of ${again.scenario.messages.length} messages, ${who} returns "${result.outcome}" with ${result.messages.length} messages`,
  );
}
