import { type Message, PalimpsestError } from '@palimpsest/core';
import fc from 'fast-check';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { testHost } from '../host/test-host.ts';
import { type Scenario, scenarioFor } from '../scenario.ts';

interface InvalidInputScenario extends Scenario {
  readonly bad: unknown;
}

const malformed: readonly unknown[] = [null, undefined, 'text', 42, {}, [null], [42], [{}], [{ role: 7 }], [[]]];

export const invalidInputRejected: CaseDefinition<InvalidInputScenario> = {
  name: 'rejects invalid messages with a clear error, and answers unknown tools and snapshots without throwing',
  examples: () =>
    malformed.map((bad) => ({ name: `compress(${JSON.stringify(bad)})`, scenario: { ...scenarioFor([]), bad } })),
  arbitrary: () =>
    fc
      .array(fc.jsonValue(), { minLength: 1 })
      .filter((items) => !items.every(hasRole))
      .map((bad) => ({ ...scenarioFor([]), bad })),
  async check({ bad, model }, { create, hostParts }) {
    const host = testHost(hostParts);
    const engine = await create(host);
    await engine.updateModel(model);
    const before = JSON.stringify(engine.snapshot());
    let error: unknown = null;
    let call: Promise<unknown> | null = null;
    try {
      call = engine.compress(bad as Message[]);
    } catch {
      ensure(false, () => 'compress throws instead of rejecting');
    }
    await call?.catch((reason: unknown) => {
      error = reason;
    });
    ensure(
      PalimpsestError.is(error) && error.code === 'MESSAGES_INVALID',
      () =>
        `given invalid messages, compress ${error === null ? 'resolves' : `rejects with ${String(error)}`} instead of rejecting with MESSAGES_INVALID`,
    );

    const answer = await engine.handleToolCall('no-such-tool', {}, { messages: [] });
    const parsed: unknown = JSON.parse(answer);
    ensure(
      typeof parsed === 'object' && parsed !== null && 'error' in parsed,
      () => 'the answer to an unknown tool is not a JSON object with an error',
    );
    await engine.restore(bad as Parameters<typeof engine.restore>[0]);
    ensure(JSON.stringify(engine.snapshot()) === before, () => 'restoring an invalid snapshot changed the state');
    ensure(
      host.events.some(({ type }) => type === 'snapshot-discarded'),
      () => 'restoring an invalid snapshot emitted no "snapshot-discarded" event',
    );
  },
};

function hasRole(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'role' in item && typeof item.role === 'string';
}
