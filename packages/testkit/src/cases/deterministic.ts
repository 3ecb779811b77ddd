import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const deterministic: CaseDefinition = {
  name: 'the same transcript and options give the same plan',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const first = await attempt(create, scenario, hostParts);
    const second = await attempt(create, { ...scenario, messages: structuredClone(scenario.messages) }, hostParts);
    if (!first.result || !second.result) return;
    ensure(
      JSON.stringify(first.result.edits) === JSON.stringify(second.result.edits),
      () => 'two fresh engines made two different plans',
    );
    ensure(
      JSON.stringify(first.engine.snapshot()) === JSON.stringify(second.engine.snapshot()),
      () => 'two fresh engines ended in different states',
    );
  },
};
