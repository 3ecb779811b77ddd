import { storeCases } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/persistence/memory-store.ts';

describe('the cases of a store', () => {
  it('leave nothing in it', { timeout: 30_000 }, async () => {
    const ids = new Set<string>();
    const store = memoryStore();
    const save: typeof store.save = (id, ...given) => {
      ids.add(id);
      return store.save(id, ...given);
    };
    for (const { name, run } of storeCases())
      if (!/expire|gone, and can|stay longer/.test(name)) await run(() => ({ ...store, save }));
    const left = await Promise.all([...ids].map((id) => store.load(id)));
    expect(left.filter((found) => found !== null)).toEqual([]);
  });

  it('end for a store that refuses every retry', async () => {
    const store = memoryStore();
    const save: typeof store.save = async (id, text, before) => (before === null ? store.save(id, text, null) : null);
    const found = storeCases().find(({ name }) => name === 'no write is lost when all retry')!;
    await expect(found.run(() => ({ ...store, save }))).rejects.toThrow('is refused');
  });
});
