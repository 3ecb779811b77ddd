import { assistant, user } from '@palimpsest/testkit';
import { createTokenCounter } from '@palimpsest/tokens';
import { describe, expect, it } from 'vitest';
import { makeSession } from '../make-session.ts';

describe('a request that needs nothing', () => {
  it('is measured once', async () => {
    const counter = createTokenCounter();
    let measured = 0;
    const tokens = {
      ...counter,
      measureRequest: (request: Parameters<typeof counter.measureRequest>[0]) => {
        measured++;
        return counter.measureRequest(request);
      },
    };
    const { session } = makeSession({ tokens, recall: true });
    const history = [user('Read the log.'), assistant('It is empty.'), user('Then write to it.')];
    await session.beforeRequest(history.slice(0, 1));
    measured = 0;
    await session.beforeRequest(history);
    expect(measured).toBe(1);
  });
});
