import type { FetchFunction } from './fetch-with-recovery.ts';
import type { Outgoing } from './outgoing.ts';

/** Credentials of AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Credentials, or a function that gives them, such as the providers of `@aws-sdk/credential-providers`. */
export type AwsCredentialSource = AwsCredentials | (() => Promise<AwsCredentials>);

/** A request that is signed with Signature Version 4. */
interface AwsRequestToSign {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array;
}

/** What a request is signed for, and which of its headers the signature covers. */
interface Scope {
  readonly accessKeyId: string;
  readonly day: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

/** Signs requests again whose body or host was changed. */
export interface AwsSigner {
  /** Why requests with this access key cannot be signed; `null` when they can. */
  obstacle(headers: Headers): Promise<string | null>;
  /** Returns the headers with a signature for the request as it is. @throws {Error} where there is an obstacle */
  sign(request: AwsRequestToSign): Promise<Headers>;
  /** True for a request whose signature is right and fresh: its sender has the same credentials. */
  isGenuine(request: AwsRequestToSign): Promise<boolean>;
}

/** True for the headers of a request that is signed with Signature Version 4. */
export function isAwsSigned(headers: Headers): boolean {
  return headers.get('authorization')?.startsWith('AWS4-') ?? false;
}

/** Signs a call again if its body was changed. Other calls keep their signature. */
export function signCalls(signer: AwsSigner, { body }: Pick<Outgoing, 'body'>, call: FetchFunction): FetchFunction {
  return async (input, init) => {
    if (init?.body === body) return call(input, init);
    const request = { url: new URL(String(input)), method: 'POST', headers: new Headers(init?.headers) };
    const headers = await signer.sign({ ...request, body: init?.body as string | Uint8Array });
    return call(input, { ...init, headers });
  };
}

/** Headers that signing adds, or that `fetch` sets. */
const setBySigner: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'host',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
]);

/** How long a signature holds, in milliseconds. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
const maxAgeMs = 300_000;

const packages = '@smithy/signature-v4 @aws-crypto/sha256-js @aws-sdk/credential-providers';

/** @param given the credentials. @default those of the environment, found as the AWS SDK finds them */
export function createAwsSigner(given?: AwsCredentialSource): AwsSigner {
  const tools = once(() => loadTools(given));
  const signer = async (request: AwsRequestToSign, date?: Date) => {
    const { credentialsOf, Signature, Sha256 } = await tools();
    const scope = readScope(request.headers)!;
    const isHashed = date === undefined || scope.signedHeaders.includes('x-amz-content-sha256');
    const signature = new Signature({
      credentials: await credentialsOf(),
      region: scope.region,
      service: scope.service,
      sha256: Sha256,
      applyChecksum: isHashed,
    });
    const { method, url, body } = request;
    const signed = await signature.sign(
      {
        method,
        protocol: url.protocol,
        hostname: url.hostname,
        path: url.pathname,
        query: queryOf(url),
        headers: headersToSign(request, scope, date !== undefined),
        body,
      },
      date && { signingDate: date, signableHeaders: new Set(scope.signedHeaders) },
    );
    return signed.headers;
  };
  return {
    async obstacle(headers) {
      const scope = readScope(headers);
      if (!scope) return 'The signature of the request cannot be read.';
      if (scope.service !== 'bedrock') return 'The request is signed for another service than Bedrock.';
      try {
        const { accessKeyId } = await (await tools()).credentialsOf();
        return accessKeyId === scope.accessKeyId
          ? null
          : 'The request is signed with another access key than that of the credentials that were found.';
      } catch (error) {
        return error instanceof Error ? error.message : 'No AWS credentials were found.';
      }
    },
    async sign(request) {
      const signed = await signer(request);
      const headers = new Headers(request.headers);
      for (const name of setBySigner) headers.delete(name);
      for (const [name, value] of Object.entries(signed)) if (name !== 'host') headers.set(name, value);
      return headers;
    },
    async isGenuine(request) {
      const scope = readScope(request.headers);
      const date = dateOf(request.headers);
      // Amazon does not accept an older signature, either.
      if (!scope || !date || !(Math.abs(Date.now() - date.getTime()) <= maxAgeMs)) return false;
      const { authorization = '' } = await signer(request, date);
      return signatureIn(authorization) === scope.signature;
    },
  };
}

/** Imports an optional package. Bundlers must not look for it, because most programs do not have it. */
function load<Package>(name: string): Promise<Package> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name) as Promise<Package>;
}

/** Loads the packages when the first request is signed: most programs need none of them. */
async function loadTools(given: AwsCredentialSource | undefined) {
  const missing = (cause: unknown): never => {
    throw new Error(`To sign requests to AWS, install ${packages}.`, { cause });
  };
  const [{ SignatureV4: Signature }, { Sha256 }] = await Promise.all([
    load<typeof import('@smithy/signature-v4')>('@smithy/signature-v4'),
    load<typeof import('@aws-crypto/sha256-js')>('@aws-crypto/sha256-js'),
  ]).catch(missing);
  if (typeof given === 'object') return { Signature, Sha256, credentialsOf: async () => given };
  const { fromNodeProviderChain } = given
    ? { fromNodeProviderChain: () => given }
    : await load<typeof import('@aws-sdk/credential-providers')>('@aws-sdk/credential-providers').catch(missing);
  const provider = fromNodeProviderChain();
  const credentialsOf = pausing(() =>
    provider().catch((cause: unknown) => {
      throw new Error('No AWS credentials were found.', { cause });
    }),
  );
  return { Signature, Sha256, credentialsOf };
}

/** A search for credentials can take seconds. */
const pauseMs = 60_000;

/** Calls a function again only after a pause if it failed. Until then, the result is the same failure. */
function pausing<Value>(call: () => Promise<Value>): () => Promise<Value> {
  let failure: { readonly error: unknown; readonly until: number } | null = null;
  return async () => {
    if (failure && Date.now() < failure.until) throw failure.error;
    try {
      return await call();
    } catch (error) {
      failure = { error, until: Date.now() + pauseMs };
      throw error;
    }
  };
}

/** Calls a function once; again after it failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

function readScope(headers: Headers): Scope | null {
  const authorization = headers.get('authorization') ?? '';
  const [, accessKeyId, day, region, service] =
    /Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/aws4_request/.exec(authorization) ?? [];
  const [, names] = /SignedHeaders=([^,\s]+)/.exec(authorization) ?? [];
  const signature = signatureIn(authorization);
  if (!accessKeyId || !day || !region || !service || !names || !signature) return null;
  return { accessKeyId, day, region, service, signedHeaders: names.split(';'), signature };
}

function signatureIn(authorization: string): string | undefined {
  return /Signature=([0-9a-f]{64})/.exec(authorization)?.[1];
}

/** The time in `x-amz-date`, which has no separators: `20261128T120000Z`. */
function dateOf(headers: Headers): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(headers.get('x-amz-date') ?? '');
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The query of an address, with all values of each name. */
function queryOf({ searchParams }: URL): Record<string, string[]> {
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
}

/** The headers that were signed, with the host of the address. @param isOld true to have all of them as they were */
function headersToSign(
  { url, headers }: AwsRequestToSign,
  { signedHeaders }: Scope,
  isOld: boolean,
): Record<string, string> {
  // A hash that was given would be taken for that of the body.
  const isKept = (name: string): boolean => !(isOld ? name === 'x-amz-content-sha256' : setBySigner.has(name));
  const kept = signedHeaders.filter((name) => headers.has(name) && isKept(name));
  return { ...Object.fromEntries(kept.map((name) => [name, headers.get(name)!])), host: url.host };
}
