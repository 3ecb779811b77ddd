import type { Message } from '@palimpsest/core';
import { attempt, compressAgain } from '../attempt.ts';
import { type CaseDefinition, ensure, fail, resultOf } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcript-examples.ts';

export const inputUntouched: CaseDefinition = {
  name: 'invariant 1: leaves its input as it was, and what it does not edit is the same object',
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
      ensure(messages[index] === message, () => `another object stands at message ${index} of the input`);
      ensure(JSON.stringify(message) === before[index], () => `message ${index} of the input was changed`);
    });
    // Changes that JSON does not show, such as a hidden field, stand out against frozen messages.
    const frozen = deepFrozen(structuredClone(messages));
    const engine = await create(tried.host);
    await engine.updateModel(scenario.model);
    const second = await compressAgain(engine, tried.host, { ...scenario, messages: frozen });
    if (tried.result && second.error instanceof TypeError)
      fail(`it tries to change its input: ${second.error.message}`);

    const result = resultOf(tried, 1);
    if (!result) return;
    const still = result.outcome === 'unchanged' || result.outcome === 'aborted';
    ensure(still === (result.messages === messages), () =>
      still
        ? `the outcome is ${result.outcome}, but the messages are another array`
        : `the outcome is ${result.outcome}, but the messages are the input array`,
    );
    ensure(!still || result.edits.length === 0, () => `the outcome is ${result.outcome}, but there are edits`);
    const known = new Set<Message>(objects);
    result.provenance.output.forEach((origin, index) => {
      const message = result.messages[index] as Message;
      if (origin.kind === 'original')
        ensure(
          message === objects[origin.from],
          () => `message ${index} of the output is called the original of ${origin.from}, but it is another object`,
        );
      else
        ensure(
          !known.has(message),
          () => `message ${index} of the output is called ${origin.kind}, but it is an object of the input`,
        );
    });
  },
};

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFrozen(item);
  return value;
}
