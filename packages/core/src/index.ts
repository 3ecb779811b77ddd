export { type Applied, apply } from './apply.ts';
export { breakMarks } from './break-marks.ts';
export { checksum } from './checksum.ts';
export { type Clock, systemClock } from './clock.ts';
export { compose } from './compose.ts';
export { type ContractViolation, checkContract } from './contract-check.ts';
export { createEngine } from './create-engine.ts';
export { type Dialect, dialects } from './dialect.ts';
export { Draft, rewritten } from './draft.ts';
export {
  type Edit,
  type EditReason,
  type Inserted,
  type InsertedPart,
  insertedUser,
  type ReplaceEdit,
  type RewriteEdit,
} from './edit.ts';
export type {
  CompressRequest,
  CompressResult,
  ContextEngine,
  EnginePlanner,
  EngineSnapshot,
  EngineStatus,
  EngineTools,
  Plan,
  PlanContext,
  SessionInfo,
  Settled,
  TokenState,
  ToolCallContext,
  ToolSchema,
} from './engine.ts';
export type { EngineIdentity } from './engine-identity.ts';
export { PalimpsestError, type PalimpsestErrorCode } from './errors.ts';
export type { ContextEvent } from './event.ts';
export { fingerprint } from './fingerprint.ts';
export { type Group, groupMessages } from './group.ts';
export {
  type Handoff,
  handoffVersion,
  isSynthetic,
  messagesFollowing,
  prependHandoff,
  readHandoff,
  writeHandoff,
} from './handoff.ts';
export type { HandoffKey } from './handoff-signature.ts';
export { type HandoffKnowledge, isTrustedHandoff } from './handoff-trust.ts';
export { createHost, type EngineHost } from './host.ts';
export { jsonText } from './json-text.ts';
export { isJson } from './json-value.ts';
export { maskedJson, maskedJsonText } from './masked-json.ts';
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
export { checkMessages } from './message-check.ts';
export type { Budget, ModelInfo, Usage } from './model.ts';
export { checkModel } from './model-check.ts';
export { headEnd, joinContents, placeHandoff } from './place-handoff.ts';
export { apiVersion, defineEngine, type EnginePlugin, type StandardResult, type StandardSchema } from './plugin.ts';
export type { Fate, Origin, Provenance } from './provenance.ts';
export { type QuoteTag, quoteContent, quoteText } from './quoted-blocks.ts';
export { isRemovedMedia, removedMedia } from './removed-media.ts';
export {
  missingResult,
  type Repair,
  type Repaired,
  type RepairNotice,
  removedCall,
  repairToolPairs,
  type StubResult,
} from './repair.ts';
export type { CompressReport, FailureReport, Outcome, PhaseReport, PlanNotes } from './report.ts';
export { isRequest, type RequestRecognizer } from './request.ts';
export { requestContent, type Speech, separateSpeech } from './speech.ts';
export type {
  SummarizeRequest,
  SummarizeResponse,
  Summarizer,
  SummaryMaterial,
  SummaryTemplate,
  TemplateSection,
} from './summarizer.ts';
export { alignTailStart, tailLead, tailStarts } from './tail-start.ts';
export type { TokenCounter } from './token-counter.ts';
export { type Span, Transcript } from './transcript.ts';
export {
  clearStrikes,
  type Decision,
  type DecisionReason,
  decide,
  initialTrigger,
  type PromptSize,
  recordFailure,
  recordPass,
  type TriggerOptions,
  type TriggerState,
  triggerDefaults,
} from './trigger.ts';
export { changedUserWords } from './user-words.ts';
export { type Violation, type ViolationRule, validateTranscript } from './validate.ts';
