/** For authors of engines, pruning strategies and hosts: the planner contract and the tools to write plans with. */

export { breakMarks } from './break-marks.ts';
export { checksum } from './checksum.ts';
export { type ContractViolation, checkContract } from './contract-check.ts';
export { createEngine } from './create-engine.ts';
export { Draft, rewritten } from './draft.ts';
export type { EnginePlanner, EngineTools, Plan, PlanInput } from './engine.ts';
export type { EngineIdentity } from './engine-identity.ts';
export { fingerprint } from './fingerprint.ts';
export { type Group, groupMessages } from './group.ts';
export { prependHandoff, writeHandoff } from './handoff.ts';
export { isInsertedMessage } from './inserted-text.ts';
export { jsonText } from './json-text.ts';
export { isJson } from './json-value.ts';
export { maskedJson, maskedJsonText } from './masked-json.ts';
export { checkMessages } from './message-check.ts';
export { defineMessageReader, type TextReader } from './message-reader.ts';
export { checkModel } from './model-check.ts';
export { headEnd, placeHandoff } from './place-handoff.ts';
export { plainReader } from './plain-reader.ts';
export { apiVersion, defineEngine, type EnginePlugin, type StandardResult, type StandardSchema } from './plugin.ts';
export { type QuoteTag, quoteContent, quoteText, type SeparatedText, separateQuotes } from './quoted-text.ts';
export { isRemovedMedia, removedMedia } from './removed-media.ts';
export type { PlanNotes } from './report.ts';
export { requestRecognizer } from './request.ts';
export { alignTailStart, tailLead, tailStarts } from './tail-start.ts';
export { type Reading, type Span, Transcript } from './transcript.ts';
export {
  clearStrikes,
  decide,
  initialTrigger,
  type PromptSize,
  recordFailure,
  recordPass,
  type TriggerState,
} from './trigger.ts';
export { changedUserWords } from './user-words.ts';
