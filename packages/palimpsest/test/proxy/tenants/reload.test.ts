import { expect, it } from 'vitest';
import { reloadOnHangup } from '../../../src/commands/serving-flags.ts';
import { defaultTenantLimits, type Tenant } from '../../../src/proxy/tenants/tenant.ts';
import { Tenants } from '../../../src/proxy/tenants/tenants.ts';

const named = (name: string): Tenant => ({
  name,
  tokens: [],
  keys: {},
  ownKeys: undefined,
  limits: defaultTenantLimits,
});

it('tenants that are read again twice are those of the last time', async () => {
  const reads: ((tenants: readonly Tenant[]) => void)[] = [];
  let isOpen = false;
  const tenants = await Tenants.open(() => {
    if (isOpen) return new Promise((resolve) => reads.push(resolve));
    isOpen = true;
    return Promise.resolve([named('first')]);
  });
  const reloads = Promise.all([tenants.reload(), tenants.reload()]);
  const answer = async (tenantsRead: readonly Tenant[], at: number): Promise<void> => {
    await expect.poll(() => reads[at], { timeout: 10_000 }).toBeDefined();
    reads[at]!(tenantsRead);
  };
  // The file changes between the two.
  await new Promise((resolve) => setImmediate(resolve));
  reads[1]?.([]);
  await answer([named('first')], 0);
  await answer([], 1);
  await reloads;
  expect(tenants.size).toBe(0);
});

it('tokens that cannot be read again are a problem, because the old ones stay in force', async () => {
  const problems: string[] = [];
  const tenants = { size: 1, reload: () => Promise.reject(new Error('broken')) } as unknown as Tenants;
  const stop = reloadOnHangup(tenants, { note: () => undefined, problem: (message) => problems.push(message) });
  process.emit('SIGHUP');
  await expect.poll(() => problems, { timeout: 10_000 }).toEqual(['the tokens stay as they were: an unknown error']);
  stop();
});
