export { needsOf, type Recall, recallOf } from './recall.ts';
