import { type WireFormat, wireNamed } from '@palimpsest/formats/wire';
import { keyHeaders } from '../../conversations/api-keys.ts';
import type { Target, UpstreamName } from '../upstreams.ts';

/** The header in which a client can send its token and keep the usual one for the provider's key. Never passed on. */
export const tokenHeader = 'x-palimpsest-token';

/** The key that a request is sent on with: the client's own, none, or the operator's. */
export type ProviderKey = 'own' | 'none' | { readonly key: string };

/** What a client must not choose with a key of the operator. */
const accountHeaders: readonly string[] = [
  ...keyHeaders,
  'cookie',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
];

/** Puts the operator's key for a provider, or none, in place of everything in which a client could send one. */
export function setKey(headers: Headers, url: URL, upstream: UpstreamName, given: Exclude<ProviderKey, 'own'>): URL {
  for (const name of accountHeaders) headers.delete(name);
  if (given !== 'none') {
    if (upstream === 'anthropic') headers.set('x-api-key', given.key);
    else if (upstream === 'gemini') headers.set('x-goog-api-key', given.key);
    else headers.set('authorization', `Bearer ${given.key}`);
  }
  const plain = new URL(url);
  plain.searchParams.delete('key');
  return plain;
}

/** What a reply says about the account of its key, and how much of its limits is used. `retry-after` stays. */
const ofAccount =
  /^(?:set-cookie|openai-(?:organization|project)|anthropic-organization-id|(?:x|anthropic)-ratelimit-.*)$/;

/** Deletes what a reply says about the operator's account. */
export function deleteAccount(headers: Headers): void {
  for (const name of [...headers.keys()]) if (ofAccount.test(name)) headers.delete(name);
}

/** The requests to models of a provider. */
interface ModelPaths {
  /** The APIs that it speaks. A path may mean something else at another provider: OpenAI's `/threads/ID/messages` does not call a model. */
  readonly apis: readonly WireFormat[];
  /** What else is posted to a model, such as a request to count tokens. */
  readonly post: RegExp;
  /** Lists of models. */
  readonly get: RegExp;
}

const openai: ModelPaths = {
  apis: ['openai-chat', 'openai-responses'],
  post: /\/responses\/(?:compact|input_tokens)$/,
  get: /\/models(?:\/[^/]+)?$/,
};

const modelPaths: Readonly<Record<UpstreamName, ModelPaths>> = {
  openai,
  chatgpt: openai,
  anthropic: { apis: ['anthropic'], post: /\/messages\/count_tokens$/, get: openai.get },
  gemini: { apis: ['gemini', 'openai-chat'], post: /:countTokens$/, get: openai.get },
  vertex: {
    apis: ['anthropic', 'gemini', 'openai-chat'],
    post: /(?:\/count-tokens:rawPredict|:countTokens)$/,
    get: /\/publishers\/[^/]+\/models(?:\/[^/]+)?$/,
  },
  bedrock: { apis: ['bedrock', 'bedrock-invoke', 'openai-chat'], post: /\/model\/[^/]+\/count-tokens$/, get: /^$/ },
  ollama: {
    apis: ['ollama', 'openai-chat', 'openai-responses', 'anthropic'],
    post: /\/api\/show$/,
    get: /\/(?:api\/(?:tags|version)|v1\/models(?:\/[^/]+)?)$/,
  },
};

/**
 * True for a request that an operator's key may be used for: it asks a model for an answer, counts tokens, or lists
 * models. Others would show what the account stores, such as the files of another tenant.
 */
export function isForModel(method: string, { upstream, url }: Target): boolean {
  const { apis, post, get } = modelPaths[upstream];
  if (method === 'GET') return get.test(url.pathname);
  return method === 'POST' && (apis.some((api) => wireNamed(api).isAddress(url)) || post.test(url.pathname));
}
