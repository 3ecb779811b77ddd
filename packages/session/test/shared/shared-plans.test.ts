import type { Message } from '@palimpsest/core';
import { createScriptedSummarizer, manualClock, user, writeShortSummary } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { CompactionPlanner, type SharedPlans } from '../../src/compaction/compaction-planner.ts';
import type { SessionEvent } from '../../src/events/session-event.ts';
import { createServices } from '../../src/operations/session-services.ts';
import { memoryStore } from '../../src/persistence/memory-store.ts';
import { repeatInput } from '../../src/request/repeat-input.ts';
import { compressorOn, turns } from '../make-session.ts';

const long: Message[] = [...turns(40), user('Next.')];
const settled = async (): Promise<void> => {
  for (let wait = 0; wait < 50; wait++) await new Promise(setImmediate);
};
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** A session with a summarizer, and a planner on its parts. */
async function openWith(shared: SharedPlans, store = memoryStore()) {
  const events: SessionEvent[] = [];
  const clock = manualClock();
  const services = createServices({
    engine: (host) => compressorOn(host, host.summarizer as never, { threshold: 0.5, minimumThreshold: 0 }),
    model: { id: 'm', contextLength: 8_000 },
    id: 'chat',
    store,
    clock,
    summaries: createScriptedSummarizer(writeShortSummary),
    hooks: { onEvent: (event) => void events.push(event) },
  });
  await services.queue.run(async () => undefined);
  const input = repeatInput(services, long);
  const start = (planner: CompactionPlanner): boolean =>
    planner.start(input, services.viewer.view(input), { trigger: 'hygiene', effort: 'full', force: true });
  return { clock, events, planner: new CompactionPlanner(services, shared), services, start };
}

it('a lease that another process has is no failed compaction', async () => {
  const { planner, services, start } = await openWith({ reserve: async () => null, commit: async () => undefined });
  expect(start(planner)).toBe(true);
  await settled();
  expect(services.compactions.hygiene.state.failures).toBe(0);
});

it('a failure to put a plan into effect is reported with its trigger', async () => {
  const commit = (): Promise<never> => Promise.reject(new Error('No.'));
  const { events, planner, start } = await openWith({ reserve: async () => async () => undefined, commit });
  expect(start(planner)).toBe(true);
  await settled();
  const failed = events.filter(({ type }) => type === 'compaction-failed');
  expect(failed).toMatchObject([{ trigger: 'hygiene' }]);
});

it('a store that gives no lease delays a compaction by two seconds, and the next one not at all', async () => {
  let leases = 0;
  const lease = () => {
    leases++;
    return never<null>();
  };
  const shared: SharedPlans = { reserve: never, commit: never };
  const { clock, events, services, start } = await openWith(shared, { ...memoryStore(), lease });
  const { planner } = services;
  expect(start(planner)).toBe(true);
  let isStopped = false;
  const stopped = planner.cancel('Test.').then(() => {
    isStopped = true;
  });
  await settled();
  clock.advance(1_999);
  await settled();
  expect(isStopped).toBe(false);
  clock.advance(1);
  await settled();
  expect(isStopped).toBe(true);
  await stopped;
  expect(events.filter(({ type }) => type === 'store-failed').length).toBe(1);
  expect(start(planner)).toBe(true);
  await planner.cancel('Test.');
  expect(leases).toBe(1);
});
