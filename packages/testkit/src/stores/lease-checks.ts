import { ensure } from '../case-definition.ts';
import { type StoreCheck, wait } from './tested-store.ts';

const longMs = 60_000;
const shortMs = 150;

/** Checks of leases. */
export const leaseChecks: readonly StoreCheck[] = [
  {
    name: 'a lease is given to one process, until it is released',
    async check(open, name) {
      const [one, other] = [await open({}), await open({})];
      const release = await one.lease(name, longMs);
      ensure(release !== null, () => 'a lease that nobody has is refused');
      ensure((await other.lease(name, longMs)) === null, () => 'another process gets the lease, too');
      ensure((await one.lease(name, longMs)) === null, () => 'the same process gets the lease again');
      const second = await other.lease(`${name} b`, longMs);
      ensure(second !== null, () => 'a lease of another name is refused');
      await release();
      const again = await other.lease(name, longMs);
      ensure(again !== null, () => 'a released lease is refused');
      await release();
      ensure(
        (await one.lease(name, longMs)) === null,
        () => 'releasing a lease twice released that of another process',
      );
      await again();
      await second();
    },
  },
  {
    name: 'of many processes at once, one gets a lease',
    async check(open, name) {
      const stores = await Promise.all(Array.from({ length: 8 }, async () => open({})));
      for (let step = 0; step < 5; step++) {
        const found = await Promise.all(stores.map((store) => store.lease(name, longMs)));
        const held = found.filter((release) => release !== null);
        ensure(held.length === 1, () => `${held.length} processes got the lease`);
        await held[0]!();
      }
    },
  },
  {
    name: 'a lease ends by itself',
    async check(open, name) {
      const [one, other] = [await open({}), await open({})];
      const release = await one.lease(name, shortMs);
      ensure(release !== null, () => 'a lease that nobody has is refused');
      await wait(2 * shortMs);
      const found = await Promise.all([one, other, one, other].map((store) => store.lease(name, longMs)));
      const held = found.filter((taken) => taken !== null);
      ensure(held.length === 1, () => `${held.length} of 4 processes got a lease that had ended`);
      await release();
      ensure((await other.lease(name, longMs)) === null, () => 'a process whose lease had ended released the next one');
      await held[0]!();
    },
  },
];
