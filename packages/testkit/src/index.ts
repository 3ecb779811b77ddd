export type { CreateEngine } from './attempt.ts';
export { CaseFailure } from './case-definition.ts';
export { type EngineCase, type EngineCaseOptions, engineCases } from './engine-cases.ts';
export { type ManualClock, manualClock } from './host/manual-clock.ts';
export { quarterCounter } from './host/quarter-counter.ts';
export {
  createScriptedSummarizer,
  type ScriptedReply,
  type ScriptedSummarizer,
  writeShortSummary,
} from './host/scripted-summarizer.ts';
export { type Settled, settle } from './host/settle.ts';
export {
  type FailureRow,
  type SummarizerFailure,
  type SummarizerFailureClass,
  summarizerFailures,
} from './host/summarizer-failure.ts';
export { type TestHost, type TestHostParts, testHost } from './host/test-host.ts';
export { arbitraryScenario, promptTokens, type Scenario, scenarioFor } from './scenario.ts';
export { type StoreCase, type StoreCaseOptions, storeCases } from './stores/store-cases.ts';
export type { OpenStore, TestedStore } from './stores/tested-store.ts';
export { arbitraryTranscript, type TranscriptOptions } from './transcripts/arbitrary-transcript.ts';
export { createFakeSecrets } from './transcripts/fake-secrets.ts';
export { foreignHandoffTexts, harnessTexts, taskTexts } from './transcripts/harness-text.ts';
export {
  assistant,
  call,
  callsWithResults,
  customCall,
  image,
  legacyCall,
  legacyResult,
  result,
  system,
  text,
  user,
} from './transcripts/message-builders.ts';
export { autonomousWork, chat } from './transcripts/transcript-examples.ts';
