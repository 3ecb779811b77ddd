export type { Body, Wire, WireFormat } from '@palimpsest/formats/wire';
export { type RidingOptions, type RidingSummarizer, ridingSummarizer } from './riding/riding-summarizer.ts';
export { type ContextFetchOptions, contextFetch } from './wire/context-fetch.ts';
export type { BodyHeaders, PreparedBody, ProviderCompaction } from './wire/provider-compaction.ts';
export type { FetchFunction } from './wire/send-request.ts';
