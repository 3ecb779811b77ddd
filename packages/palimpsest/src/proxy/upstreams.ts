import type { IncomingHttpHeaders } from 'node:http';
import { CliError } from '@palimpsest/command-line/cli-error';

/** The provider that a request goes to. */
export type UpstreamName = 'openai' | 'chatgpt' | 'anthropic' | 'gemini' | 'vertex' | 'bedrock' | 'ollama';

/** A segment of a path that leads to the folder above, also in encoded form. */
const parentFolder = /(?:^|[\\/]|%2f|%5c)(?:\.|%2e){2}(?=$|[\\/]|%2f|%5c)/i;

/** The addresses of the providers, fixed at the start. */
export interface Upstreams {
  readonly openai: URL;
  /** For Codex with a ChatGPT login. */
  readonly chatgpt: URL;
  readonly anthropic: URL;
  readonly gemini: URL;
  /** `null`: Google's address for the location in the path. */
  readonly vertex: URL | null;
  /** A region for Bedrock: at Amazon, by the region that a request is signed for, or else in this one. */
  readonly bedrock: URL | string;
  /** `null`: requests to `/ollama` are not found. */
  readonly ollama: URL | null;
}

/** A request's provider and its address there. */
export interface Target {
  readonly upstream: UpstreamName;
  readonly url: URL;
}

/**
 * Reads the address of a provider.
 * @param text for OpenAI as in `OPENAI_BASE_URL`, with `/v1`; for the others without a version, as in `ANTHROPIC_BASE_URL`
 * @param source where it comes from, such as `--openai`; used in error messages
 * @throws {CliError} for anything but an http or https address, and for one that contains a key
 */
export function upstreamUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw CliError.badUsage(`${source}: write an address such as https://api.example.com/v1`);
  if (url.username || url.password || url.search)
    throw CliError.badUsage(
      `${source}: the address contains a user, a key or a query; set the key in the agent instead`,
    );
  url.hash = '';
  return url;
}

/**
 * The target of a request to the proxy: `/openai/v1/...` goes to OpenAI, `/anthropic/v1/...` to Anthropic,
 * `/gemini/v1beta/...` to Gemini, `/vertex/v1/projects/...` to Vertex, `/bedrock/model/...` to Bedrock, and `/ollama/api/...` to Ollama.
 * @param path path and query, as the client sent them
 * @param headers the account of a ChatGPT login, which OpenAI's API does not take, and the region of a signature for Amazon
 * @returns `null` for any other path, and for one that leaves the provider's base path
 */
export function targetOf(upstreams: Upstreams, path: string, headers: IncomingHttpHeaders = {}): Target | null {
  const [, name, rest = ''] = /^\/(\w+)([/?].*)?$/s.exec(path) ?? [];
  if (!isProvider(name)) return null;
  const hasAccount = headers['chatgpt-account-id'] !== undefined;
  const upstream = name === 'openai' && hasAccount ? 'chatgpt' : name;
  const given = upstreams[upstream] ?? (upstream === 'vertex' ? vertexAt(rest) : null);
  if (!given) return null;
  const { origin, pathname } = typeof given === 'string' ? bedrockAt(headers.authorization, given) : given;
  const base = pathname.replace(/\/$/, '');
  // The base of OpenAI contains the version, those of the others do not. Bedrock and Ollama have none. The client's path contains it in all cases.
  const versionless = name === 'bedrock' || name === 'ollama' ? base : base.replace(/\/v1(?:beta1?)?$/, '');
  const [prefix, own] = name === 'openai' ? [base, rest.replace(/^\/v1(?=[/?]|$)/, '')] : [versionless, rest];
  if (parentFolder.test(own.replace(/\?.*$/s, ''))) return null;
  const address = `${origin}${prefix}${own}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isBelow = url.pathname === (prefix || '/') || url.pathname.startsWith(`${prefix}/`);
  return url.origin === origin && isBelow ? { upstream, url } : null;
}

/** True for a provider's public address, which checks the client's own key. */
export function isPublic({ url: { protocol, hostname } }: Target): boolean {
  return protocol === 'https:' && publicHosts.test(hostname);
}

const publicHosts =
  /^(?:(?:[a-z]{2}\.)?api\.openai\.com|chatgpt\.com|api\.anthropic\.com|(?:[a-z\d-]+\.)+googleapis\.com|bedrock-runtime\.[a-z\d-]+\.amazonaws\.com(?:\.cn)?)$/;

/** The providers that have a path at the proxy. */
const providers = ['openai', 'anthropic', 'gemini', 'vertex', 'bedrock', 'ollama'] as const;

function isProvider(name: string | undefined): name is (typeof providers)[number] {
  return providers.some((one) => one === name);
}

/** Google's address for the location in a path. https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function vertexAt(path: string): URL {
  const location = /\/locations\/(global|us|eu|[a-z]{2,12}-[a-z]{4,10}\d{1,2})\//.exec(path)?.[1] ?? 'global';
  if (location === 'global') return new URL('https://aiplatform.googleapis.com');
  const isContinent = location === 'us' || location === 'eu';
  return new URL(
    isContinent ? `https://aiplatform.${location}.rep.googleapis.com` : `https://${location}-aiplatform.googleapis.com`,
  );
}

/** Amazon's address for the region of a signature. @param region for a request without one */
function bedrockAt(authorization: string | undefined, region: string): URL {
  const [, signed = region] =
    /^AWS4-[^,]*Credential=[^/,]+\/\d{8}\/([a-z]{2,4}(?:-[a-z]{2,10}){1,2}-\d{1,2})\//.exec(authorization ?? '') ?? [];
  return new URL(`https://bedrock-runtime.${signed}.amazonaws.com${signed.startsWith('cn-') ? '.cn' : ''}`);
}
