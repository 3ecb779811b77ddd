/** For users of engines: messages, plans, hosts, events, reports and errors. Authors of engines also need `./authoring`. */

export type { CompressOptions, CompressSource } from './engine/compress-options.ts';
export type { CompressResult, ContextEngine, EngineSnapshot, EngineStatus, TokenState } from './engine/engine.ts';
export type { Budget, ModelInfo } from './engine/model.ts';
export type { PlanBasis } from './engine/planner.ts';
export type { CompressReport, FailureReport, PhaseReport } from './engine/report.ts';
export type { SessionInfo } from './engine/session-info.ts';
export type { ToolCallContext, ToolSchema } from './engine/tools.ts';
export type { Decision, TriggerOptions } from './engine/trigger.ts';
export { type CoreErrorCode, PalimpsestError } from './errors.ts';
export { contentWithoutHandoff, type ForeignHandoffReader, readAnyHandoff } from './handoff/any-handoff.ts';
export { type Handoff, isSynthetic, messagesFollowing, readHandoff } from './handoff/handoff.ts';
export type { HandoffKey } from './handoff/handoff-signature.ts';
export type { ContextEvent, DecisionReason, Outcome } from './host/event.ts';
export { type Clock, createHost, type EngineHost, systemClock } from './host/host.ts';
export type {
  KeptMessages,
  RecordPart,
  SummarizeRequest,
  SummarizeResponse,
  Summarizer,
  SummaryLine,
  SummaryMaterial,
  SummaryTemplate,
  TemplateSection,
  Usage,
} from './host/summarizer.ts';
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
} from './messages/message.ts';
export {
  missingResult,
  type Repair,
  type Repaired,
  type RepairNotice,
  repairToolPairs,
  type StubResult,
} from './messages/repair.ts';
export { type Dialect, dialects, type Violation, type ViolationRule, validateTranscript } from './messages/validate.ts';
export { type Applied, apply } from './plans/apply.ts';
export { compose } from './plans/compose.ts';
export type { Carried, CarriedMessage, Edit, EditReason, Inserted, ReplaceEdit, RewriteEdit } from './plans/edit.ts';
export type { InsertedMessage, InsertedPart } from './plans/inserted-message.ts';
export type { LineSource } from './plans/line-source.ts';
export type { MessageOutcome, Origin, Provenance } from './plans/provenance.ts';
export { type HandoffKnowledge, isTrustedHandoff } from './transcript/handoff-trust.ts';
export type { MessageReader, Speech } from './transcript/message-reader.ts';
export type { PersonRecognizer } from './transcript/person-recognizer.ts';
export type { TokenCounter } from './transcript/transcript.ts';
