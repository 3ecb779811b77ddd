export type { FileChange } from './changes/file-changes.ts';
export { readWorkRecord, type WorkRecord, type WorkRecordInput } from './read-work-record.ts';
export { openRequests, type RequestIntent, requestIntent } from './requests/open-requests.ts';
export type { LoggedMessage, MessageResult } from './requests/user-log.ts';
export {
  type AnsweredQuestion,
  type UserQuestion,
  type UserQuestions,
  userQuestions,
} from './requests/user-questions.ts';
export { type UserWords, userWords } from './requests/user-words.ts';
export { type HostInstruction, hostInstructions } from './rules/host-instructions.ts';
export { type StandingRule, standingRules, typedSentences } from './rules/standing-rules.ts';
export { rulesOf, type StatedRule, statedRules } from './rules/stated-rules.ts';
export { sentencesOf, withoutListMark } from './text/sentences.ts';
export type { Verdict } from './verdicts/verdicts.ts';
export type { Conclusion } from './work/conclusions.ts';
export { type DecisionSentence, decisionSentences } from './work/decision-sentences.ts';
export type { Lookup, Lookups } from './work/lookups.ts';
export type { TodoItem, TodoStatus } from './work/todo-item.ts';
export { isTodoTool, type TodoItems, todoItems } from './work/todo-items.ts';
export { type Observed, type WorkingState, workingState } from './work/working-state.ts';
