import { ensure } from '../case-definition.ts';
import type { StoreCheck, TestedStore } from './tested-store.ts';

const writers = 8;
const steps = 5;
/** Each try that fails means that another writer succeeded. A correct store needs fewer. */
const maxTries = writers * steps * 10;

/** Checks of several writers at once. */
export const writerChecks: readonly StoreCheck[] = [
  {
    name: 'a write with another version than the stored one is refused, and changes nothing',
    async check(open, id) {
      const store = await open({});
      const first = await store.save(id, 'one', null);
      ensure((await store.save(id, 'other', null)) === null, () => 'a second first write succeeds');
      const second = await store.save(id, 'two', first);
      ensure(second !== null, () => 'a write with the stored version is refused');
      ensure((await store.save(id, 'late', first)) === null, () => 'a write with an old version succeeds');
      const found = await store.load(id);
      ensure(found?.text === 'two' && found.version === second, () => 'a refused write changed the text');
      ensure(
        (await store.save(`${id} b`, 'x', first)) === null,
        () => 'a write with the version of another id succeeds',
      );
      ensure((await store.load(`${id} b`)) === null, () => 'a refused write stored its text');
      await store.delete(id);
    },
  },
  {
    name: 'of many writes at once, exactly one succeeds',
    async check(open, id) {
      const stores = await openAll(open);
      let before: string | null = null;
      for (let step = 0; step < steps; step++) {
        const found: (string | null)[] = await Promise.all(
          stores.map((store, at) => store.save(id, `${step} ${at}`, before)),
        );
        const winners = found.flatMap((version, at) => (version === null ? [] : [at]));
        ensure(winners.length === 1, () => `${winners.length} of ${writers} writes succeeded`);
        const stored = await stores[0]!.load(id);
        ensure(
          stored?.text === `${step} ${winners[0]}`,
          () => 'the stored text is not that of the write that succeeded',
        );
        before = found[winners[0]!]!;
      }
      await stores[0]!.delete(id);
    },
  },
  {
    name: 'no write is lost when all retry',
    async check(open, id) {
      const stores = await openAll(open);
      await stores[0]!.save(id, '0', null);
      await Promise.all(
        stores.map(async (store) => {
          for (let step = 0; step < steps; step++) await increment(store, id);
        }),
      );
      const counted = Number((await stores[0]!.load(id))?.text);
      ensure(counted === writers * steps, () => `${counted} of ${writers * steps} writes are in the text`);
      await stores[0]!.delete(id);
    },
  },
];

async function openAll(open: Parameters<StoreCheck['check']>[0]): Promise<TestedStore[]> {
  return Promise.all(Array.from({ length: writers }, async () => open({})));
}

async function increment(store: TestedStore, id: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    const found = await store.load(id);
    if (await store.save(id, String(Number(found?.text) + 1), found?.version ?? null)) return;
  }
  ensure(false, () => `a write with the stored version is refused ${maxTries} times`);
}
