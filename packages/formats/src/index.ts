export { aiSdk } from './ai-sdk/codec.ts';
export type { AiSdkConversation, AiSdkMessage, AiSdkPart } from './ai-sdk/conversation.ts';
export { anthropic } from './anthropic/codec.ts';
export type { AnthropicBlock, AnthropicConversation, AnthropicMessage } from './anthropic/conversation.ts';
export type { AnthropicRule } from './anthropic/validate.ts';
export { bedrock } from './bedrock/codec.ts';
export type { BedrockBlock, BedrockConversation, BedrockMessage } from './bedrock/conversation.ts';
export type { BedrockRule } from './bedrock/validate.ts';
export { createClaudeCodeReader, readClaudeCode } from './claude-code/reader.ts';
export type { Codec, Decoded, EditedMessages, NativeOrigin, NativePiece, NativeViolation } from './codec.ts';
export { createCodexReader, readCodex } from './codex/reader.ts';
export { compactNative, type NativeResult } from './compact-native.ts';
export { detectFormat, type FormatName } from './detect-format.ts';
export { gemini } from './gemini/codec.ts';
export type { GeminiContent, GeminiConversation, GeminiPart } from './gemini/conversation.ts';
export type { GeminiRule } from './gemini/validate.ts';
export { ollama } from './ollama/codec.ts';
export type { OllamaConversation, OllamaMessage, OllamaToolCall } from './ollama/conversation.ts';
export { type OpenaiChatConversation, openaiChat } from './openai-chat/codec.ts';
export { pi } from './pi/codec.ts';
export type { PiConversation, PiMessage } from './pi/conversation.ts';
export { rememberMessages } from './remember-messages.ts';
export { openaiResponses } from './responses/codec.ts';
export type { ResponsesConversation, ResponsesItem } from './responses/conversation.ts';
export type { ResponsesRule } from './responses/validate.ts';
export type {
  SessionLog,
  SessionLogFormat,
  SessionLogReader,
} from './session-log/session-log.ts';
export { shareGpt } from './share-gpt/codec.ts';
export type { ShareGptConversation, ShareGptTurn } from './share-gpt/conversation.ts';
export { type Speaker, speakerOf } from './share-gpt/speaker.ts';
