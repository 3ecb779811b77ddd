export { type ContextFetchOptions, contextFetch, type FetchFunction } from './wire/context-fetch.ts';
export type { WireFormat } from './wire/wire-format.ts';
