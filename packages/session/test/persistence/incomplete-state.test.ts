import { assistant, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { filler, makeSession } from '../make-session.ts';

describe('a snapshot without one of its parts', () => {
  it.each(['refused', 'settled', 'records[0].historyMessages'])('is not used: %s', async (path) => {
    const { session } = makeSession();
    await session.compact({
      messages: [
        user('Read the log.'),
        ...Array.from({ length: 12 }, (_, at) => assistant(filler(400, at))),
        user('Go on.'),
      ],
    });
    const snapshot = JSON.parse(JSON.stringify(await session.snapshot())) as Record<string, unknown> & {
      records: Record<string, unknown>[];
    };
    expect(snapshot.records.length).toBeGreaterThan(0);
    delete (path.startsWith('records') ? snapshot.records[0]! : snapshot)[path.split('.').at(-1)!];
    const { session: other, events } = makeSession();
    await other.restore(snapshot);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'state-discarded', reason: 'Parts of it are missing or damaged.' }),
    );
    expect(other.records()).toEqual([]);
  });
});
