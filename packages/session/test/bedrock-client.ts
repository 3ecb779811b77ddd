import { BedrockRuntimeClient, type BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime';
import { awsCredentials, bedrockApiKey } from '../../../test/loopback-server/index.ts';
import { awsRequestHandler, type FetchFunction } from '../src/fetch.ts';

/** How a client proves who it is. */
export type BedrockLogin = 'key' | 'signature';

/** A client of the AWS SDK. @param fetch makes its calls; the SDK's own handler by default */
export function bedrockClient(endpoint: string, login: BedrockLogin, fetch?: FetchFunction): BedrockRuntimeClient {
  const access: BedrockRuntimeClientConfig =
    login === 'key'
      ? { token: { token: bedrockApiKey }, authSchemePreference: ['httpBearerAuth'] }
      : { credentials: awsCredentials };
  const requestHandler = fetch && (awsRequestHandler(fetch) as unknown as BedrockRuntimeClientConfig['requestHandler']);
  const config = {
    region: 'eu-west-1',
    endpoint,
    maxAttempts: 1,
    ...access,
    ...(requestHandler && { requestHandler }),
  };
  return new BedrockRuntimeClient(config as BedrockRuntimeClientConfig);
}
