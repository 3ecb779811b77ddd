export type {
  AgentProfile,
  AgentStart,
  FileAction,
  ResultMark,
  ResultMarks,
  StartSettings,
  SummaryMarks,
  TextCalls,
  ToolClass,
  UserSettings,
} from './agent-profile.ts';
export { type InstructionFiles, instructionFiles } from './instruction-files.ts';
export { knownAgents } from './known-agents.ts';
export { agentReader, isFromPerson } from './reader/agent-reader.ts';
export { createMessageReader } from './reader/create-message-reader.ts';
export { asksForSummary } from './reader/summary-request.ts';
export { askingTools } from './results/recognized-agents.ts';
export { createResultReader, type ResultReader, resultReader, type Unwrapped } from './results/result-reader.ts';
export { followInputs } from './results/running-programs.ts';
export { textCallFormats } from './results/text-call-formats.ts';
export { readOutcome, type ToolOutcome } from './results/tool-outcome.ts';
export { type Question, readQuestions, type UserAnswer, userAnswers } from './results/user-answers.ts';
export { isActingTool } from './tools/acting-tools.ts';
export {
  commandArguments,
  movedFromArguments,
  movedToArguments,
  newTextArguments,
  oldTextArguments,
  patchArguments,
  pathArguments,
} from './tools/argument-names.ts';
export { fileAction } from './tools/file-action-reader.ts';
export { isLoadingTool, readInsertedSkill } from './tools/loading-tools.ts';
export { isRecallTool, type RecallToolName, recallToolNames } from './tools/recall-tools.ts';
export { stateTools } from './tools/state-tools.ts';
export { createToolClassifier, type ToolClassifier, toolClass } from './tools/tool-classifier.ts';
export { readToolName, type ToolName } from './tools/tool-name.ts';
