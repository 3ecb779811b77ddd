export { arbitraryTranscript, type TranscriptOptions } from './arbitrary-transcript.ts';
export type { CreateEngine } from './attempt.ts';
export { CaseFailure } from './case-definition.ts';
export { type EngineCase, type EngineCaseOptions, engineCases } from './engine-cases.ts';
export { foreignHandoffTexts, harnessTexts, requestTexts } from './harness-text.ts';
export { type ManualClock, manualClock } from './manual-clock.ts';
export {
  assistant,
  call,
  customCall,
  exchange,
  image,
  legacyCall,
  legacyResult,
  result,
  system,
  text,
  user,
} from './message-builders.ts';
export { type CreatePlanner, type PlannerCase, plannerCases } from './planner-cases.ts';
export { maskSecrets, plantedSecrets } from './planted-secrets.ts';
export { quarterCounter } from './quarter-counter.ts';
export { arbitraryScenario, promptTokens, type Scenario, scenarioFor } from './scenario.ts';
export {
  type ScriptedReply,
  type ScriptedSummarizer,
  scriptedSummarizer,
  writtenSummary,
} from './scripted-summarizer.ts';
export { type Settled, settle } from './settle.ts';
export {
  type FailureRow,
  type SummarizerFailure,
  type SummarizerFailureClass,
  summarizerFailures,
} from './summarizer-failure.ts';
export { type TestHost, type TestHostParts, testHost } from './test-host.ts';
export { autonomousWork, chat } from './transcript-examples.ts';
export { sketchTranscript } from './transcript-sketch.ts';
