/** For users of engines: messages, plans, hosts, events, reports and errors. Authors of engines also need `./authoring`. */

export { type ForeignHandoffReader, readAnyHandoff, requestContent } from './any-handoff.ts';
export { type Applied, apply } from './apply.ts';
export { type Clock, systemClock } from './clock.ts';
export { compose } from './compose.ts';
export { type Dialect, dialects } from './dialect.ts';
export type { Carried, CarriedMessage, Edit, EditReason, Inserted, ReplaceEdit, RewriteEdit } from './edit.ts';
export type {
  CompressRequest,
  CompressResult,
  ContextEngine,
  EngineSnapshot,
  EngineStatus,
  SessionInfo,
  TokenState,
  ToolCallContext,
  ToolSchema,
} from './engine.ts';
export { type CoreErrorCode, PalimpsestError } from './errors.ts';
export type { ContextEvent } from './event.ts';
export { type Handoff, handoffVersion, isSynthetic, messagesFollowing, readHandoff } from './handoff.ts';
export type { HandoffKey } from './handoff-signature.ts';
export { type HandoffKnowledge, isTrustedHandoff } from './handoff-trust.ts';
export { createHost, type EngineHost } from './host.ts';
export type { InsertedMessage, InsertedPart } from './inserted-message.ts';
export {
  type Content,
  type CustomToolCall,
  contentText,
  type FunctionToolCall,
  hasToolCalls,
  type ImageUrlPart,
  isBlank,
  isImagePart,
  isSystem,
  isTextPart,
  isToolResult,
  leadingSystems,
  type Message,
  type Part,
  type Role,
  type TextPart,
  type ToolCall,
  toolCallInput,
  toolCallName,
  toolCalls,
} from './message.ts';
export type { MessageReader, Speech } from './message-reader.ts';
export type { Budget, ModelInfo, Usage } from './model.ts';
export type { MessageOutcome, Origin, Provenance } from './provenance.ts';
export {
  missingResult,
  type Repair,
  type Repaired,
  type RepairNotice,
  removedCall,
  repairToolPairs,
  type StubResult,
} from './repair.ts';
export type { CompressReport, FailureReport, Outcome, PhaseReport } from './report.ts';
export type { RequestRecognizer } from './request.ts';
export type {
  SummarizeRequest,
  SummarizeResponse,
  Summarizer,
  SummaryMaterial,
  SummaryTemplate,
  TemplateSection,
} from './summarizer.ts';
export type { TokenCounter } from './token-counter.ts';
export { type Decision, type DecisionReason, type TriggerOptions, triggerDefaults } from './trigger.ts';
export { type Violation, type ViolationRule, validateTranscript } from './validate.ts';
