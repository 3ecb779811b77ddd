import type { CompressResult, Message } from '@palimpsest/core';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, resultOf } from '../case-definition.ts';
import { arbitraryScenario, type Scenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

/** Creates the case of an invariant that the result of one compaction has to keep. */
export const resultCase = (
  invariant: number,
  promise: string,
  check: (result: CompressResult<Message>, scenario: Scenario) => void,
): CaseDefinition => ({
  name: `invariant ${invariant}: ${promise}`,
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const result = resultOf(await attempt(create, scenario, hostParts), invariant);
    if (result) check(result, scenario);
  },
});
