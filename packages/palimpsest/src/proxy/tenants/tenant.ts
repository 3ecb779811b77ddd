import type { UpstreamName } from '../upstreams.ts';

/** What one tenant may use. */
export interface TenantLimits {
  readonly requestsPerMinute: number;
  /** Requests that are not answered yet. */
  readonly concurrentRequests: number;
  /** Largest body of a request. */
  readonly requestBytes: number;
  /** Conversations in memory. The tenant's own least recently used one is dropped first. */
  readonly conversations: number;
}

/** A customer of the operator of a proxy. Tenants never share a conversation. */
export interface Tenant {
  readonly name: string;
  /** SHA-256 of each token. */
  readonly tokens: readonly Buffer[];
  /** The provider's keys, for clients that send the token in the header of the key. */
  readonly keys: Readonly<Partial<Record<UpstreamName, string>>>;
  /**
   * Whether its clients may use their own keys, for any path. `undefined`: only at the public addresses of providers.
   */
  readonly ownKeys: boolean | undefined;
  readonly limits: TenantLimits;
}

export const defaultTenantLimits: TenantLimits = {
  requestsPerMinute: 600,
  concurrentRequests: 32,
  requestBytes: 32 * 1024 * 1024,
  conversations: 32,
};
