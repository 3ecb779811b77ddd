export type { ArchiveOptions, RecallEvent, RecallStore } from './archive/recall-store.ts';
export { createRecall, type Recall, type RecallOptions, type RecallRef } from './create-recall.ts';
export type { Projection } from './hidden/hidden-text.ts';
export { isRecallTool, type RecallToolName, recallToolNames } from './tools/tool-names.ts';
export { recallTools } from './tools/tool-schemas.ts';
