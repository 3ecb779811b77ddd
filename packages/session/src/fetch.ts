export type { Body, Wire, WireFormat } from '@palimpsest/formats/wire';
export {
  type AwsRequest,
  type AwsRequestHandler,
  type AwsResponse,
  awsRequestHandler,
} from './fetch/aws-request-handler.ts';
export {
  type AwsCredentialSource,
  type AwsCredentials,
  type AwsSigner,
  createAwsSigner,
  isAwsSigned,
} from './fetch/aws-signer.ts';
export { type ContextFetchOptions, contextFetch } from './fetch/context-fetch.ts';
export type { FetchFunction } from './fetch/fetch-with-recovery.ts';
export type { BodyHeaders, PreparedBody, ProviderCompaction } from './fetch/provider-compaction.ts';
