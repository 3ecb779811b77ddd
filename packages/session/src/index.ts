export { type AnthropicTool, type ResponsesTool, readUsage } from '@palimpsest/formats/wire';
export type { KeyValueStorage } from '@palimpsest/recall';
export type { CompactFeedback } from './compaction/compact-feedback.ts';
export type { CompactOptions } from './compaction/compact-manually.ts';
export type { PreparedRequest, RequestInfo, RequestOptions } from './conversation/prepared-request.ts';
export { createSession } from './create-session.ts';
export type { SessionErrorCode } from './error-code.ts';
export type { CompactionRecord, CompactionTrigger } from './events/compaction-record.ts';
export type { SessionEvent } from './events/session-event.ts';
export { classifyFailure } from './failure/classify-failure.ts';
export type { FailureContext, ProviderFailure } from './failure/provider-failure.ts';
export type { HandoffLine, InspectedHandoff, InspectedMessage, Inspection } from './inspect/inspection.ts';
export { readHandoffs } from './inspect/read-handoffs.ts';
export { sessionRules } from './options/option-rules.ts';
export type { SessionRecallOptions } from './options/recall-options.ts';
export type {
  AfterCompaction,
  BeforeCompaction,
  SessionHooks,
} from './options/session-hooks.ts';
export type { SessionOptions } from './options/session-options.ts';
export type { SessionStore, SharedStore, StoredState } from './options/session-store.ts';
export { keyValueStore } from './persistence/key-value-store.ts';
export { type MemoryStoreOptions, memoryStore } from './persistence/memory-store.ts';
export type { SessionSnapshot } from './persistence/session-snapshot.ts';
export { type StoreHealth, storeHealth } from './persistence/store-health.ts';
export type { Recovery } from './recovery/recovery.ts';
export type { CallContext, Session, SessionStatus } from './session.ts';
