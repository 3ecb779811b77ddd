export { anthropic } from './anthropic/codec.ts';
export type { AnthropicBlock, AnthropicConversation, AnthropicMessage } from './anthropic/conversation.ts';
export type { AnthropicRule } from './anthropic/validate.ts';
export type { Codec, Decoded, EditedMessages, NativeOrigin, NativePiece, NativeViolation } from './codec.ts';
export { compressNative, type NativeResult } from './compress-native.ts';
export { type OpenaiChatConversation, openaiChat } from './openai-chat.ts';
export { openaiResponses } from './responses/codec.ts';
export type { ResponsesConversation, ResponsesItem } from './responses/conversation.ts';
export type { ResponsesRule } from './responses/validate.ts';
