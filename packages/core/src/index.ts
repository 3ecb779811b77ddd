export type {
  Content, CustomToolCall, FunctionToolCall, ImageUrlPart, Message, Part, Role, TextPart, ToolCall,
} from './message.ts';
export {
  contentText, isBlank, isImagePart, isSystem, isTextPart, isToolResult, toolCallInput, toolCallName, toolCalls,
} from './message.ts';
export type { TokenCounter } from './token-counter.ts';
