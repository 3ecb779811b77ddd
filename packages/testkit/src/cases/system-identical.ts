import { isSystem, type Message } from '@palimpsest/core';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure, resultOf } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcript-examples.ts';

export const systemIdentical: CaseDefinition = {
  name: 'invariant 4: system messages are the same objects in the same order',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const result = resultOf(await attempt(create, scenario, hostParts), 4);
    if (!result) return;
    const before = scenario.messages.filter(isSystem);
    const after = (result.messages as readonly Message[]).filter(isSystem);
    ensure(after.length === before.length, () => `${before.length} system messages went in, ${after.length} came out`);
    before.forEach((message, at) => {
      ensure(
        after[at] === message,
        () => `system message ${scenario.messages.indexOf(message)} is another object or at another place`,
      );
    });
    // Where they were: whatever is left of the messages before one is still before it.
    let newest = -1;
    result.provenance.output.forEach((origin, index) => {
      if (origin.kind === 'inserted') return;
      ensure(
        origin.from > newest,
        () => `message ${index} of the output comes from message ${origin.from}, which stood before its predecessor`,
      );
      newest = origin.from;
    });
    const leading = scenario.messages.findIndex((message) => !isSystem(message));
    for (let index = 0; index < leading; index++)
      ensure(
        result.messages[index] === scenario.messages[index],
        () => `something was put before leading system message ${index}`,
      );
  },
};
