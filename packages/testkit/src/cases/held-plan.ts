import { attempt, freshEngine } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const heldPlan: CaseDefinition = {
  name: 'a held plan changes the engine only when it is committed',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const asked = { ...scenario, asked: { ...scenario.asked, hold: true } };
    const [held, done] = [await attempt(create, asked, hostParts), await attempt(create, scenario, hostParts)];
    const isChanged = held.result?.outcome === 'compacted' || held.result?.outcome === 'degraded';
    if (!isChanged || !done.result) return;
    const fresh = await freshEngine(create, held.host, scenario);
    const { planner, tokens, settled } = held.engine.snapshot().state;
    const before = fresh.snapshot().state;
    ensure(
      JSON.stringify([planner, tokens, settled]) === JSON.stringify([before.planner, before.tokens, before.settled]),
      () => 'the plan was held, but the state of the engine changed',
    );
    held.result?.commit?.();
    ensure(
      JSON.stringify(held.engine.snapshot()) === JSON.stringify(done.engine.snapshot()),
      () => 'after commit, the engine is in another state than without hold',
    );
  },
};
