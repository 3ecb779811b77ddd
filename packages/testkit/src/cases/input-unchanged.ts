import type { Message } from '@palimpsest/core';
import { attempt, compactAgain, freshEngine } from '../attempt.ts';
import { type CaseDefinition, ensure, fail, resultOf } from '../case-definition.ts';
import { deepFrozen } from '../deep-frozen.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const inputUnchanged: CaseDefinition = {
  name: 'invariant 1: does not mutate its input; unedited messages are the same objects',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const objects = [...scenario.messages];
    const before = scenario.messages.map((message) => JSON.stringify(message));
    const tried = await attempt(create, scenario, hostParts);
    const { messages } = scenario;
    ensure(
      messages.length === objects.length,
      () => `the input had ${objects.length} messages and now has ${messages.length}`,
    );
    objects.forEach((message, index) => {
      ensure(messages[index] === message, () => `message ${index} of the input was replaced by another object`);
      ensure(JSON.stringify(message) === before[index], () => `message ${index} of the input was changed`);
    });
    // Frozen messages reveal mutations that JSON does not show, such as a non-enumerable field.
    const frozen = deepFrozen(structuredClone(messages));
    const engine = await freshEngine(create, tried.host, scenario);
    const second = await compactAgain(engine, tried.host, { ...scenario, messages: frozen });
    if (tried.result && second.error instanceof TypeError)
      fail(`the engine tries to mutate its input: ${second.error.message}`);

    const result = resultOf(tried, 1);
    if (!result) return;
    const still = result.outcome === 'unchanged' || result.outcome === 'aborted';
    ensure(still === (result.messages === messages), () =>
      still
        ? `the outcome is ${result.outcome}, but messages is a different array`
        : `the outcome is ${result.outcome}, but messages is the input array`,
    );
    ensure(!still || result.edits.length === 0, () => `the outcome is ${result.outcome}, but there are edits`);
    const known = new Set<Message>(objects);
    result.provenance.output.forEach((origin, index) => {
      const message = result.messages[index] as Message;
      if (origin.kind === 'original')
        ensure(
          message === objects[origin.from],
          () =>
            `provenance says message ${index} of the output is the original message ${origin.from}, but it is a different object`,
        );
      else
        ensure(
          !known.has(message),
          () => `provenance says message ${index} of the output is ${origin.kind}, but it is an object from the input`,
        );
    });
  },
};
