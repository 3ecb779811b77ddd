export type { ModelInfo } from '@palimpsest/core';
export type { ContextConfig } from '@palimpsest/registry';
export type { CompactionRecord, Session, SessionEvent } from '@palimpsest/session';
export type { FetchFunction } from '@palimpsest/session/fetch';
export {
  type ContextFetch,
  type CreateContextFetchOptions,
  createContextFetch,
} from './library/create-context-fetch.ts';
