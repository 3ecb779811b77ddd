import { wireAt } from '@palimpsest/formats/wire';
import type { Target, UpstreamName } from '../upstreams.ts';

/** The header in which a client can send its token and keep the usual one for the provider's key. Never passed on. */
export const tokenHeader = 'x-palimpsest-token';

/** Headers in which clients send a key, so also a token. */
export const keyHeaders: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** What a client must not choose with a key of the operator. */
const accountHeaders: readonly string[] = [...keyHeaders, 'cookie', 'openai-organization', 'openai-project'];

/** Puts the operator's key for a provider in place of everything in which a client could send one. @param key empty for none */
export function setKey(headers: Headers, url: URL, upstream: UpstreamName, key: string): URL {
  for (const name of accountHeaders) headers.delete(name);
  if (key === '') return url;
  if (upstream === 'anthropic') headers.set('x-api-key', key);
  else if (upstream === 'gemini') headers.set('x-goog-api-key', key);
  else headers.set('authorization', `Bearer ${key}`);
  const plain = new URL(url);
  plain.searchParams.delete('key');
  return plain;
}

/**
 * True for a request that an operator's key may be used for: it asks a model for an answer, counts tokens, or lists
 * models. Others would show what the account stores, such as the files of another tenant.
 */
export function isForModel(method: string, { url }: Target): boolean {
  if (method === 'GET') return /(?:\/models(?:\/[^/]+)?|\/api\/(?:tags|version))$/.test(url.pathname);
  return (
    method === 'POST' &&
    (wireAt(url) !== null || /(?:\/count_tokens|:countTokens|\/api\/show|\/responses\/compact)$/.test(url.pathname))
  );
}
