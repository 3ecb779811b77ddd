/** One adapter for each provider's API: recognizes, reads and changes its requests, and reads its answers. */

export type { AnthropicTool } from './anthropic/wire.ts';
export type { BedrockTool } from './bedrock/wire.ts';
export { type ClearedBody, clearContent } from './compaction/clear-edits.ts';
export { blockEvents, compactionMessage, iterationOf, messageEvents } from './compaction/compaction-answer.ts';
export { type CompactEdit, type ContextManagement, readContextManagement } from './compaction/context-management.ts';
export { compactionOutput, isCompactAddress, restoreItem } from './compaction/responses-compaction.ts';
export { compactionBlock, restoreBlock } from './compaction/restore-block.ts';
export type { GeminiTool } from './gemini/wire.ts';
export type { ResponsesTool } from './responses/wire.ts';
export { type Answer, type AnswerReader, answerReader, StreamReader, wholeAnswer } from './wire/answer-reader.ts';
export type { AnswerCall, AnsweredCall, AnswerStream, Answers, IsOwn, RawAnswer } from './wire/answers.ts';
export { appendItems } from './wire/append-items.ts';
export type { Framing, ReadEvent, StreamEvent } from './wire/framing.ts';
export { readUsage } from './wire/read-usage.ts';
export type { Body, Obstacles, RequestFacts, Wire } from './wire/wire.ts';
export { type WireFormat, type WireTool, wireAt, wireFormats, wireNamed } from './wire/wires.ts';
