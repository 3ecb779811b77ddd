import { createRecall } from '@palimpsest/recall';
import { expect, it } from 'vitest';
import { makeSession } from '../make-session.ts';

it('rejects a storage for recall that cannot be written', () => {
  const store = { getItem: () => null, getKeys: () => [] } as never;
  const message = /store: expected a storage with getItem, setItem, removeItem and getKeys/;
  expect(() => makeSession({ recall: { store } })).toThrow(message);
  expect(() => createRecall({ sessionId: 's', redact: (text) => text, store })).toThrow(message);
});
