import type { Refusal } from './refusals.ts';
import type { UpstreamName } from './upstreams.ts';

/** Who sends a request, and what it may do. */
export interface Caller {
  /** `null` without tenants. */
  readonly tenant: string | null;
  /** Largest body of a request in bytes; a longer one is refused. `null` if it is passed on as a stream. */
  readonly maxBytes: number | null;
  /** Maximum number of conversations in memory; `Infinity` for that of the proxy. */
  readonly maxConversations: number;
  /** Sets the provider's key in the headers to send, if it is the operator's. @returns the address without a key of the client */
  authorize(headers: Headers, url: URL): URL;
  /** Why a body may not be sent; `null` if it may. */
  bodyRefusal(bytes: Buffer): Refusal | null;
  /** Removes what a reply says about an account of the operator. */
  clearReply(reply: Response): void;
  /** Called when the request is answered. */
  release(): void;
}

/** A program on this machine. */
export const localCaller: Caller = {
  tenant: null,
  maxBytes: null,
  maxConversations: Number.POSITIVE_INFINITY,
  authorize: (_, url) => url,
  bodyRefusal: () => null,
  clearReply: () => undefined,
  release: () => undefined,
};

/** The beginning of the scopes of a caller's conversations, such as `acme/`. A tenant's name has no slash. */
export function scopeOf({ tenant }: Pick<Caller, 'tenant'>): string {
  return tenant === null ? '' : `${tenant}/`;
}

/** The first part of the scope of a caller's conversations with a provider. */
export function upstreamScope(caller: Pick<Caller, 'tenant'>, upstream: UpstreamName): string {
  return `${scopeOf(caller)}${upstream}`;
}
