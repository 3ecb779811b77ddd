/** For authors of engines, pruning strategies and hosts: the planner contract and the tools to write plans with. */

export { checkCompressOptions } from './engine/compress-options.ts';
export { createEngine } from './engine/create-engine.ts';
export type { EngineIdentity } from './engine/engine.ts';
export { checkModel, modelRule } from './engine/engine-updates.ts';
export { assumedWindow, minAssumedWindow, promptModel } from './engine/model.ts';
export { maxCompactedTokens, maxThresholdShare } from './engine/next-threshold.ts';
export type { EnginePlanner, Plan, PlanInput, PlanSource } from './engine/planner.ts';
export { apiVersion, defineEngine, type EnginePlugin } from './engine/plugin.ts';
export type { PlanNotes } from './engine/report.ts';
export { minSavingShare } from './engine/run-pass.ts';
export type { EngineToolContext, EngineTools } from './engine/tools.ts';
export { formatNumber } from './format-number.ts';
export { closingFence, type FenceRange, findPastedFences } from './handoff/fences.ts';
export { breakMarks, prependHandoff, writeHandoff } from './handoff/handoff.ts';
export { digestHandoff } from './handoff/handoff-signature.ts';
export { hostRules } from './host/host-rules.ts';
export { orAborted, withinDeadline } from './host/wait.ts';
export { checksum } from './json/checksum.ts';
export { type Fields, isRecord, parseRecord } from './json/is-record.ts';
export { jsonText } from './json/json-text.ts';
export { isJson } from './json/json-value.ts';
export { maskJson } from './json/mask-json.ts';
export { memoizeByObject } from './memoize.ts';
export { fingerprint } from './messages/fingerprint.ts';
export { type Group, groupMessages } from './messages/group.ts';
export { isInsertedMessage, maxStubLength } from './messages/inserted-text.ts';
export { isRemovedMedia, mediaPlaceholder } from './messages/media-placeholder.ts';
export { checkMessages } from './messages/message-check.ts';
export { type QuoteTag, quoteContent, quoteText, type SeparatedText, separateQuotes } from './messages/quoted-text.ts';
export { checkOptions, findOptionIssues, optionSchema } from './options/check-options.ts';
export {
  describeType,
  describeUnknownOption,
  invalidOption,
  invalidOptions,
  nearestName,
  type OptionErrorSource,
  type OptionIssue,
  optionPath,
  suggestName,
  withOptionOwner,
} from './options/option-errors.ts';
export {
  amountRule,
  anyRule,
  choiceRule,
  countRule,
  describeValue,
  eitherRule,
  falseRule,
  filledTextRule,
  functionRule,
  groupRule,
  listRule,
  methodsRule,
  numberRule,
  type OptionRule,
  type OptionRules,
  type RulesOf,
  signalRule,
  switchRule,
  tableRule,
  textRule,
  timeoutRule,
  wholeNumberRule,
} from './options/option-rules.ts';
export type { StandardResult, StandardSchema } from './options/standard-schema.ts';
export { validateOptions } from './options/validate-options.ts';
export { type ContractViolation, checkContract } from './plans/contract-check.ts';
export { Draft, withRewrite } from './plans/draft.ts';
export { findChangedWords } from './plans/find-changed-words.ts';
export { contentToCarry } from './plans/inserted-message.ts';
export { headEnd, type PlaceHandoffOptions, placeHandoff } from './plans/place-handoff.ts';
export { type LaterInstructions, laterInstructions } from './transcript/later-instructions.ts';
export { alignTailStart, type TailStartLimits, tailLead, tailStarts } from './transcript/legal-tail-starts.ts';
export { defineMessageReader, type TextReader } from './transcript/message-reader.ts';
export { createPersonRecognizer } from './transcript/person-recognizer.ts';
export { plainReader } from './transcript/plain-reader.ts';
export { type Reading, type Span, Transcript } from './transcript/transcript.ts';
