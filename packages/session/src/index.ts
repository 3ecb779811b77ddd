export type { CompactFeedback, CompactOptions } from './compaction/manual.ts';
export type { CompactionRecord } from './compaction-record.ts';
export { createSession } from './create-session.ts';
export { classifyFailure, classifyResponse } from './failure/classify-failure.ts';
export type { FailureAction, FailureClass, FailureContext, ProviderFailure } from './failure/provider-failure.ts';
export type { SessionSnapshot } from './persistence/session-snapshot.ts';
export type { SessionStore } from './persistence/session-store.ts';
export type { PreparedRequest, RequestInfo, RequestOptions } from './prepared-request.ts';
export { readUsage } from './read-usage.ts';
export type { Recovery } from './recovery/recover.ts';
export type { CallContext, Session, SessionStatus } from './session.ts';
export type { CompactionTrigger, SessionEvent, SessionNews } from './session-event.ts';
export type {
  AfterCompress,
  AfterCompressAnswer,
  BeforeCompress,
  RemovedResult,
  SessionHooks,
} from './session-hooks.ts';
export type { HygieneOptions, LimitOptions, SessionOptions } from './session-options.ts';
