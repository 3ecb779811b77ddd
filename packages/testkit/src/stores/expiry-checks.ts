import { ensure } from '../case-definition.ts';
import { type StoreCheck, wait } from './tested-store.ts';

const expireAfterMs = 1_000;

/** Checks of texts that expire. */
export const expiryChecks: readonly StoreCheck[] = [
  {
    name: 'a text that was not written for long is gone, and can be written anew',
    async check(open, id) {
      const store = await open({ expireAfterMs });
      const version = await store.save(id, 'one', null);
      ensure((await store.load(id))?.text === 'one', () => 'the text is gone at once');
      await wait(1.2 * expireAfterMs);
      ensure((await store.load(id)) === null, () => 'the text is still there');
      ensure((await store.version(id)) === null, () => 'its version is still there');
      ensure((await store.save(id, 'late', version)) === null, () => 'a write with its version succeeds');
      ensure((await store.save(id, 'two', null)) !== null, () => 'a first write is refused');
      ensure((await store.load(id))?.text === 'two', () => 'the new text is not there');
      await store.delete(id);
    },
  },
  {
    name: 'each write makes a text stay longer',
    async check(open, id) {
      const store = await open({ expireAfterMs });
      let version = await store.save(id, '0', null);
      for (let step = 1; step <= 4; step++) {
        await wait(expireAfterMs / 3);
        version = await store.save(id, String(step), version);
        ensure(version !== null, () => 'a text expired although it was written in between');
      }
      ensure((await store.load(id))?.text === '4', () => 'a text expired although it was written in between');
      await store.delete(id);
    },
  },
];
