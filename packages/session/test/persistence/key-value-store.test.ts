import { expect, it } from 'vitest';
import { keyValueStore } from '../../src/persistence/key-value-store.ts';

it('deletes the state also in a storage that cannot remove an item', async () => {
  const values = new Map<string, string>();
  const store = keyValueStore({
    getItem: (key) => values.get(key),
    setItem: (key, value) => void values.set(key, value),
  });
  await store.save('chat', 'What was said.', null);
  await store.delete('chat');
  expect([...values.values()].join('')).not.toContain('What was said.');
  expect(await store.load('chat')).toBeNull();
  expect(await store.save('chat', 'Anew.', null)).not.toBeNull();
});
