import type { IncomingMessage } from 'node:http';
import { type Caller, localCaller } from '../caller.ts';
import type { Refusal } from '../refusals.ts';
import type { Target } from '../upstreams.ts';
import { isForModel, keyHeaders, setKey, tokenHeader } from './provider-key.ts';
import type { Tenants, TenantUse } from './tenants.ts';

const noToken: Refusal = {
  status: 401,
  type: 'token_invalid',
  message: `there is no valid token; send the one that the operator gave you in ${tokenHeader}, or in the header of the provider's key.`,
};

/** The caller of a request, or why it is refused. A caller has to be released. */
export function admit(
  tenants: Tenants | undefined,
  request: IncomingMessage,
  target: Target,
): { readonly caller: Caller } | { readonly refused: Refusal; readonly tenant: string | null } {
  if (!tenants) return { caller: localCaller };
  const found = findTenant(tenants, request);
  if (!found) return { refused: noToken, tenant: null };
  const { use, isInKeyHeader } = found;
  const { tenant } = use;
  const { method = 'GET', headers } = request;
  const isOwnKey = !isInKeyHeader && keyHeaders.some((name) => headers[name]);
  // A server of Ollama is the operator's, and needs no key.
  const none = target.upstream === 'ollama' ? '' : undefined;
  const key = isOwnKey && none === undefined ? undefined : (tenant.keys[target.upstream] ?? none);
  const refused =
    keyRefusal(isInKeyHeader, key, method, target) ??
    (Number(headers['content-length'] ?? 0) > tenant.limits.requestBytes
      ? tooLarge(tenant.limits.requestBytes)
      : null) ??
    rateRefusal(use);
  if (refused) return { refused, tenant: tenant.name };
  use.running++;
  return {
    caller: {
      tenant: tenant.name,
      maxBytes: tenant.limits.requestBytes,
      maxConversations: tenant.limits.conversations,
      authorize: (sent, url) => (key === undefined ? url : setKey(sent, url, target.upstream, key)),
      release: () => {
        use.running--;
      },
    },
  };
}

function findTenant(
  tenants: Tenants,
  { headers }: IncomingMessage,
): { readonly use: TenantUse; readonly isInKeyHeader: boolean } | null {
  const own = headers[tokenHeader];
  if (own !== undefined) {
    const use = tenants.find(String(own));
    return use && { use, isInKeyHeader: false };
  }
  for (const name of keyHeaders) {
    const use = tenants.find(String(headers[name] ?? '').replace(/^Bearer +/i, ''));
    if (use) return { use, isInKeyHeader: true };
  }
  return null;
}

function keyRefusal(isNeeded: boolean, key: string | undefined, method: string, target: Target): Refusal | null {
  if (key === undefined)
    return isNeeded
      ? {
          status: 403,
          type: 'no_provider_key',
          message: `the operator has set no key for ${target.upstream}; send the token in ${tokenHeader}, and your own key in its usual header.`,
        }
      : null;
  return isForModel(method, target)
    ? null
    : {
        status: 403,
        type: 'path_forbidden',
        message: "the operator's key is only for requests to a model; send your own key for others.",
      };
}

/** The error for a body that is too long. */
export function tooLarge(maxBytes: number): Refusal {
  const message = `the body has more than ${maxBytes} bytes, the limit of this tenant.`;
  return { status: 413, type: 'request_too_large', message };
}

function rateRefusal({ running, rate, tenant: { limits } }: TenantUse): Refusal | null {
  if (running >= limits.concurrentRequests)
    return {
      status: 429,
      type: 'too_many_running',
      message: `${limits.concurrentRequests} requests of this tenant are running; wait until one has ended.`,
      retryAfter: 1,
    };
  if (rate.tryRemoveTokens(1)) return null;
  return {
    status: 429,
    type: 'rate_limited',
    message: `this tenant may send ${limits.requestsPerMinute} requests a minute; try again later.`,
    retryAfter: Math.max(1, Math.ceil(rate.getWaitTime(1) / 1000)),
  };
}
