import { expect, it } from 'vitest';
import { readOutgoing } from '../../src/fetch/outgoing.ts';

const url = 'https://provider.example/v1/messages';
const init = { method: 'POST', headers: { 'idempotency-key': 'one', 'x-api-key': 'key' }, body: '{"messages":[]}' };

it('keeps the idempotency key of a request that is sent as it came, and not of a changed one', async () => {
  const outgoing = (await readOutgoing(url, init))!;
  const sent = (body: string) => new Headers(outgoing.with(body)[1].headers);
  const changed = sent('{"messages":[1]}');
  expect(changed.get('idempotency-key')).toBeNull();
  expect(changed.get('x-api-key')).toBe('key');
  expect(sent(init.body).get('idempotency-key')).toBe('one');
});

it('reads a request of another class than the global one', async () => {
  const { body, ...rest } = init;
  const foreign = {
    url,
    ...rest,
    headers: new Headers(init.headers),
    bodyUsed: false,
    clone: () => foreign,
    text: async () => body,
  };
  expect(foreign instanceof Request).toBe(false);
  const outgoing = await readOutgoing(foreign as unknown as Request, undefined);
  expect(outgoing?.body).toBe(body);
  expect(String(outgoing?.target)).toBe(url);
});
