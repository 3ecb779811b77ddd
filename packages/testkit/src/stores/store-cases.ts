import { CaseFailure, ensure } from '../case-definition.ts';
import { checkSkipped } from '../check-skipped.ts';
import { leaseChecks } from './lease-checks.ts';
import { type OpenStore, type StoreCheck, type TestedStore, textsOf, wait } from './tested-store.ts';
import { writerChecks } from './writer-checks.ts';

/** A conformance test for a store of sessions, ready to run under any test runner. */
export interface StoreCase {
  readonly name: string;
  /** Resolves if the store passes. Otherwise rejects with what broke. */
  run(open: OpenStore): Promise<void>;
}

export interface StoreCaseOptions {
  /** Cases to skip: reasons by case name. */
  readonly skip?: Readonly<Record<string, string>> | undefined;
}

/**
 * Creates the conformance tests for stores of sessions that several processes use: compare-and-swap, leases, expiry. They
 * use different ids, so all may run on one database.
 *
 * @example
 * for (const { name, run } of storeCases()) it(name, () => run((options) => myStore(database, options)));
 *
 * @throws {PalimpsestError} `OPTION_INVALID` if `skip` names an unknown case or gives no reason
 */
export function storeCases({ skip = {} }: StoreCaseOptions = {}): readonly StoreCase[] {
  const checks = [...textChecks, ...writerChecks, ...leaseChecks, ...expiryChecks];
  checkSkipped(
    skip,
    checks.map(({ name }) => name),
  );
  return checks.filter(({ name }) => !(name in skip)).map(({ name, check }) => ({ name, run: runCheck(name, check) }));
}

function runCheck(name: string, check: StoreCheck['check']): StoreCase['run'] {
  return async (open) => {
    try {
      await check(open, `case-${globalThis.crypto.randomUUID()}`);
    } catch (error) {
      throw new CaseFailure(`${name}\n  ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
}

const textChecks: readonly StoreCheck[] = [
  {
    name: 'nothing is stored at first',
    async check(open, id) {
      const store = await open({});
      ensure((await store.load(id)) === null, () => 'load does not return null');
      ensure((await store.version(id)) === null, () => 'version does not return null');
      await store.delete(id);
    },
  },
  {
    name: 'each text comes back as it was, with its version, also in another process',
    async check(open, id) {
      const [one, other] = [await open({}), await open({})];
      let before: string | null = null;
      for (const text of textsOf()) {
        const version = await one.save(id, text, before);
        ensure(version !== null && version !== before, () => 'save does not return a new version');
        const found = await other.load(id);
        ensure(found?.text === text, () => `a text of ${text.length} characters came back changed`);
        ensure(found.version === version, () => 'load and save return different versions');
        ensure((await other.version(id)) === version, () => 'version and save return different versions');
        before = version;
      }
      await one.delete(id);
    },
  },
  {
    name: 'ids that look alike are different ids',
    async check(open, id) {
      const store = await open({});
      const long = 'x'.repeat(300);
      const ids = ['a', 'A', 'a/b', 'a:b', 'a.b', '../a', 'é', 'e\u0301', 'a b', 'a%', "a'", `${long}1`, `${long}2`];
      for (const name of ids) await save(store, `${id} ${name}`, name);
      for (const name of ids)
        ensure((await store.load(`${id} ${name}`))?.text === name, () => `the text of id "${name}" was replaced`);
      for (const name of ids) await store.delete(`${id} ${name}`);
    },
  },
  {
    name: 'a deleted text is gone, and its version is no longer accepted',
    async check(open, id) {
      const [one, other] = [await open({}), await open({})];
      const version = await save(one, id, 'one');
      await other.delete(id);
      ensure((await one.load(id)) === null && (await one.version(id)) === null, () => 'the text is still there');
      ensure((await one.save(id, 'late', version)) === null, () => 'a write with its version succeeds');
      ensure((await one.load(id)) === null, () => 'a refused write stored its text');
      const again = await save(one, id, 'two');
      ensure(again !== version, () => 'the next text has the same version');
      await one.delete(id);
    },
  },
];

async function save(store: TestedStore, id: string, text: string): Promise<string> {
  const version = await store.save(id, text, null);
  ensure(version !== null, () => 'the first write of a text is refused');
  return version;
}

const expireAfterMs = 1_000;

/** Checks of texts that expire. */
const expiryChecks: readonly StoreCheck[] = [
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
