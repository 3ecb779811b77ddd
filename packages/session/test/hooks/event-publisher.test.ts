import { systemClock } from '@palimpsest/core';
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/events/session-event.ts';
import { EventPublisher } from '../../src/hooks/event-publisher.ts';

it('numbers what the engine tells while it plans, not what other requests tell meanwhile', async () => {
  const events = new EventPublisher('session', systemClock, (text) => text, {});
  const seen: [string, SessionEvent['compaction']][] = [];
  events.on(({ type, compaction }) => seen.push([type, compaction]));
  let end = (): void => undefined;
  const plan = events.duringPlan(3, () => new Promise<void>((resolve) => (end = resolve)));
  events.publish({ type: 'content-stripped', what: 'reasoning' });
  events.publishOfPlan({ type: 'summary-start' } as never);
  end();
  await plan;
  events.publishOfPlan({ type: 'summary-start' } as never);
  await events.duringCommit(3, async () => events.publish({ type: 'content-stripped', what: 'reasoning' }));
  expect(seen.map(([, compaction]) => compaction)).toEqual([null, 3, null, 3]);
});
