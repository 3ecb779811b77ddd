import { user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compressorOn, makeSession } from '../make-session.ts';

describe('a session whose engine cannot be created', () => {
  const failing = () => {
    throw new Error('no licence');
  };

  it('rejects the request with the reason, and ends all the same', async () => {
    const { session } = makeSession({ engine: failing });
    await expect(session.beforeRequest([user('Hello.')])).rejects.toThrow('no licence');
    await expect(session.end()).resolves.toBeUndefined();
  });

  it('ends while another operation is creating the engine', async () => {
    const { session } = makeSession({ engine: async () => failing() });
    const tools = session.tools();
    await expect(session.end()).resolves.toBeUndefined();
    await expect(tools).rejects.toThrow('no licence');
  });
});

describe('a session that ends before its first request', () => {
  it('creates no engine', async () => {
    let created = 0;
    const { session } = makeSession({
      engine: (host) => {
        created++;
        return compressorOn(host, undefined);
      },
    });
    await session.end();
    expect(created).toBe(0);
    await session.engine();
    await session.end();
    expect(created).toBe(1);
  });
});
