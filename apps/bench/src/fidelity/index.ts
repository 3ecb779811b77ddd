export { identifiersIn, type Occurrence } from './identifiers.ts';
export { type Needs, needsOf, type Recall, recallOf, type Share } from './recall.ts';
export { agentTexts, textsOf } from './spoken.ts';
