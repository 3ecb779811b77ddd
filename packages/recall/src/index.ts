export { isRecallTool, type RecallToolName, recallToolNames } from '@palimpsest/agents';
export type { ArchiveOptions, KeyValueStorage, RecallEvent } from './archive/key-value-storage.ts';
export { createRecall, recallRules } from './create-recall.ts';
export type { Projection } from './hidden/hidden-text.ts';
export { refsOfHidden } from './hidden/refs-of-hidden.ts';
export type { Recall, RecallHit, RecallOptions, RecallRef } from './recall.ts';
export { recallTools } from './tools/tool-schemas.ts';
