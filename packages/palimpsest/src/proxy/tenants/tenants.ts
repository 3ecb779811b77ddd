import { createHash, timingSafeEqual } from 'node:crypto';
import { RateLimiter } from 'limiter';
import type { Tenant } from './tenant.ts';

/** What a tenant uses at the moment. */
export interface TenantUse {
  tenant: Tenant;
  /** Requests that are not answered yet. */
  running: number;
  rate: RateLimiter;
}

/** The tenants of a proxy. */
export class Tenants {
  readonly #read: () => Promise<readonly Tenant[]>;
  #uses: ReadonlyMap<string, TenantUse>;
  #reloading: Promise<void> = Promise.resolve();

  private constructor(read: () => Promise<readonly Tenant[]>, tenants: readonly Tenant[]) {
    this.#read = read;
    this.#uses = usesOf(tenants, new Map());
  }

  /** @param read reads the tenants, now and each time they are read again */
  static async open(read: () => Promise<readonly Tenant[]>): Promise<Tenants> {
    return new Tenants(read, await read());
  }

  get size(): number {
    return this.#uses.size;
  }

  /**
   * Reads the tenants again, one time after the other. Those that are there stay in force if that fails. Running requests
   * are not affected.
   */
  reload(): Promise<void> {
    this.#reloading = this.#reloading
      .catch(() => undefined)
      .then(async () => {
        this.#uses = usesOf(await this.#read(), this.#uses);
      });
    return this.#reloading;
  }

  /** The tenant with a token; `null` for an empty one. Takes the same time for every token. */
  find(token: string): TenantUse | null {
    if (token === '') return null;
    const given = createHash('sha256').update(token).digest();
    let found: TenantUse | null = null;
    for (const use of this.#uses.values())
      for (const known of use.tenant.tokens) if (timingSafeEqual(known, given)) found = use;
    return found;
  }
}

/** What was counted for a known tenant continues, and its running requests still count. */
function usesOf(tenants: readonly Tenant[], before: ReadonlyMap<string, TenantUse>): ReadonlyMap<string, TenantUse> {
  return new Map(
    tenants.map((tenant) => {
      const { requestsPerMinute } = tenant.limits;
      const known = before.get(tenant.name);
      const isSame = known?.tenant.limits.requestsPerMinute === requestsPerMinute;
      const rate = isSame ? known.rate : new RateLimiter({ tokensPerInterval: requestsPerMinute, interval: 'minute' });
      return [tenant.name, known ? Object.assign(known, { tenant, rate }) : { tenant, running: 0, rate }];
    }),
  );
}
