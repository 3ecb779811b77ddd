import type { IncomingMessage } from 'node:http';
import { keysIn } from '../../conversations/api-keys.ts';
import { type Caller, localCaller } from '../caller.ts';
import type { Refusal } from '../refusals.ts';
import { isPublic, type Target } from '../upstreams.ts';
import { bodyRefusal } from './body-refusal.ts';
import { deleteAccount, isForModel, type ProviderKey, setKey, tokenHeader } from './provider-key.ts';
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
  const found = findTenant(tenants, request, target);
  if (!found) return { refused: noToken, tenant: null };
  const { use } = found;
  const { tenant } = use;
  const key = providerKey(found, target);
  const refused =
    (key === null ? noKey(target) : (pathRefusal(key, request, target) ?? regionRefusal(key, request))) ??
    (Number(request.headers['content-length'] ?? 0) > tenant.limits.requestBytes
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
      authorize: (sent, url) => (key === 'own' || key === null ? url : setKey(sent, url, target.upstream, key)),
      bodyRefusal: (bytes) => (key === 'own' ? null : bodyRefusal(request, bytes, target)),
      clearReply: ({ headers: replied }) => {
        if (key !== 'own') deleteAccount(replied);
      },
      release: () => {
        use.running--;
      },
    },
  };
}

interface Found {
  readonly use: TenantUse;
  /** What the request has in the place of the provider's key. A token there is never sent on. */
  readonly given: 'key' | 'token' | 'nothing';
}

function findTenant(tenants: Tenants, { headers }: IncomingMessage, { url }: Target): Found | null {
  const keys = keysIn((name) => headers[name], url).map((value) => value.replace(/^Bearer +/i, ''));
  const inKeys = keys.map((key) => tenants.find(key)).find((use) => use !== null);
  const own = headers[tokenHeader];
  const use = own === undefined ? inKeys : tenants.find(String(own));
  return use ? { use, given: inKeys ? 'token' : keys.length > 0 ? 'key' : 'nothing' } : null;
}

/**
 * The key for a request. A provider checks the client's own key; a server of the operator may accept any, so there it counts
 * only if the tenant may use its own keys.
 * @returns `null` if one is missing
 */
function providerKey({ use: { tenant }, given }: Found, target: Target): ProviderKey | null {
  const { upstream } = target;
  const isOpen = isPublic(target);
  if (given === 'key' && upstream !== 'ollama' && (tenant.ownKeys ?? isOpen)) return 'own';
  // At Google, the client's path would choose the project and the location.
  const key = upstream === 'vertex' && isOpen ? undefined : tenant.keys[upstream];
  if (key !== undefined) return { key };
  return upstream === 'ollama' || !(isOpen || given === 'token') ? 'none' : null;
}

function noKey({ upstream }: Target): Refusal {
  return {
    status: 403,
    type: 'no_provider_key',
    message: `the operator has set no key for ${upstream}; send the token in ${tokenHeader}, and your own key in its usual header.`,
  };
}

/** A signature names a region, and the proxy sends the request there. */
function regionRefusal(key: ProviderKey, { headers }: IncomingMessage): Refusal | null {
  return key === 'own' || !headers.authorization?.startsWith('AWS4-')
    ? null
    : {
        status: 403,
        type: 'signature_forbidden',
        message: "with a token in place of the key, the region is the operator's; do not sign the request.",
      };
}

function pathRefusal(key: ProviderKey, { method = 'GET' }: IncomingMessage, target: Target): Refusal | null {
  return key === 'own' || isForModel(method, target)
    ? null
    : {
        status: 403,
        type: 'path_forbidden',
        message: 'without a key of your own, only requests to a model are allowed.',
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
